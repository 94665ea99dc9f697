#include "serve/request_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace hawser {
namespace {

/// In a time that does not tell how much of it is right.
bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned differ = 0;
  for (size_t i = 0; i < a.size(); ++i)
    differ |= static_cast<unsigned>(static_cast<unsigned char>(a[i])) ^
              static_cast<unsigned>(static_cast<unsigned char>(b[i]));
  return differ == 0;
}

bool is_any_address(std::string_view host) { return host == "0.0.0.0" || host == "::"; }

/// Of IPv4, or of IPv6 in brackets: names resolve to whatever their owner likes, these do not.
bool is_literal(std::string_view name) {
  if (name.size() > 2 && name.front() == '[' && name.back() == ']')
    return name.find_first_not_of("0123456789abcdefABCDEF:.", 1) == name.size() - 1;
  return std::count(name.begin(), name.end(), '.') == 3 &&
         name.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool is_own_host(std::string_view given, std::string_view host, unsigned short port) {
  const std::string suffix = fmt::format(":{}", port);
  if (!given.ends_with(suffix)) return false;
  const std::string_view name = given.substr(0, given.size() - suffix.size());
  if (name == host || name == fmt::format("[{}]", host)) return true;
  if (is_any_address(host)) return is_literal(name) || name == "localhost";
  return (host == "127.0.0.1" || host == "::1") && name == "localhost";
}

}  // namespace

RequestCheck check_request(const RequestText& r, std::string_view host, unsigned short port,
                           std::string_view token) {
  if (r.method != "GET") return {Asset::none, 405};
  if (!is_own_host(r.host, host, port)) return {Asset::none, 403};
  // Browsers name the origin of every WebSocket; a page of another one may not have it.
  const bool foreign = !r.origin.empty() && r.origin != fmt::format("http://{}", r.host);
  if (foreign || (r.upgrade && r.origin.empty())) return {Asset::none, 403};
  const size_t question = r.target.find('?');
  const std::string_view path = r.target.substr(0, question);
  const Asset asset = path == "/"          ? Asset::page
                      : path == "/live.js" ? Asset::script
                      : path == "/live"    ? Asset::socket
                                           : Asset::none;
  if (asset == Asset::none) return {asset, 404};
  constexpr std::string_view key = "token=";
  std::string_view query =
      question == std::string_view::npos ? std::string_view() : r.target.substr(question + 1);
  query = query.substr(0, query.find('&'));
  if (!query.starts_with(key) || !same_secret(query.substr(key.size()), token))
    return {Asset::none, 403};
  if ((asset == Asset::socket) != r.upgrade) return {Asset::none, r.upgrade ? 404 : 426};
  return {asset, 200};
}

}  // namespace hawser
