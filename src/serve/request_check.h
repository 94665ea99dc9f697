// Which requests a server answers.
#pragma once

#include <string>
#include <string_view>

namespace hawser {

enum class Asset { none, page, script, socket };

/// What a request asks for, and whether it may have it.
struct RequestCheck {
  Asset asset = Asset::none;
  int status = 200;  ///< of HTTP: 200, or why not
};

struct RequestText {
  std::string_view method, target, host, origin;
  bool upgrade = false;  ///< to a WebSocket
};

/// `host`: the address that the server listens on. Names are accepted only if it is one, so that no
/// foreign name that is made to point here (DNS rebinding) is.
RequestCheck check_request(const RequestText& request, std::string_view host, unsigned short port,
                           std::string_view token);

}  // namespace hawser
