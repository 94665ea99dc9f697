// A client for tests of the server: raw TCP, HTTP and WebSocket, and whatever a hostile one sends.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace hawser {

/// Anything that takes longer than this has failed [ms]. No test depends on how long things take.
inline constexpr int patience = 30'000;

class SocketClient {
 public:
  explicit SocketClient(unsigned short port, int receive_buffer = 0)
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer > 0)
      setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0)
      throw std::runtime_error("cannot connect");
  }
  SocketClient(SocketClient&& other) noexcept
      : acknowledges(other.acknowledges),
        socket_(std::exchange(other.socket_, -1)),
        buffer_(std::move(other.buffer_)) {}
  SocketClient(const SocketClient&) = delete;
  ~SocketClient() {
    if (socket_ >= 0) ::close(socket_);
  }

  bool send(const std::string& bytes) {
    for (size_t at = 0; at < bytes.size();) {
      const ssize_t n = ::send(socket_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (n <= 0) return false;
      at += static_cast<size_t>(n);
    }
    return true;
  }
  /// More bytes into the buffer; false at the end of the connection.
  bool receive() {
    pollfd wait{socket_, POLLIN, 0};
    if (::poll(&wait, 1, patience) <= 0) throw std::runtime_error("nothing received");
    char bytes[65536];
    const ssize_t n = ::recv(socket_, bytes, sizeof bytes, 0);
    if (n <= 0) return false;
    buffer_.append(bytes, static_cast<size_t>(n));
    return true;
  }
  /// All until the server ends the connection.
  std::string read_all() {
    while (receive()) {
    }
    return std::exchange(buffer_, {});
  }

  /// Asks for a WebSocket; the status that the server answers with.
  int upgrade(const std::string& target, const std::string& host, const std::string& origin) {
    send("GET " + target + " HTTP/1.1\r\nHost: " + host +
         "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
         (origin.empty() ? "" : "Origin: " + origin + "\r\n") +
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");
    size_t end = 0;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos)
      if (!receive()) return 0;
    const int status = std::stoi(buffer_.substr(9, 3));
    buffer_.erase(0, end + 4);
    return status;
  }

  /// A masked frame, as clients send them.
  bool send_frame(const std::string& payload, unsigned opcode = 1, bool masked = true) {
    std::string out(1, static_cast<char>(0x80 | opcode));
    const unsigned mask_bit = masked ? 0x80 : 0;
    if (payload.size() < 126) {
      out += static_cast<char>(mask_bit | payload.size());
    } else {
      const bool wide = payload.size() > 65535;
      out += static_cast<char>(mask_bit | (wide ? 127 : 126));
      for (int shift = wide ? 56 : 8; shift >= 0; shift -= 8)
        out += static_cast<char>(payload.size() >> shift & 255);
    }
    if (masked) out += "\x01\x02\x03\x04";
    for (size_t i = 0; i < payload.size(); ++i)
      out += masked ? static_cast<char>(payload[i] ^ static_cast<char>(i % 4 + 1)) : payload[i];
    return send(out);
  }
  bool send_json(const nlohmann::json& message) { return send_frame(message.dump()); }

  /// As pages do with every frame of a live run.
  void acknowledge(const std::string& frame) {
    uint32_t number = 0;
    std::memcpy(&number, frame.data() + 4, sizeof number);
    send_json({{"type", "seen"}, {"frame", number}});
  }
  bool acknowledges = false;

  struct Frame {
    unsigned opcode;
    std::string payload;
  };
  /// The next frame; none at the end of the connection.
  std::optional<Frame> read_frame() {
    const auto need = [&](size_t bytes) {
      while (buffer_.size() < bytes)
        if (!receive()) return false;
      return true;
    };
    const auto byte = [&](size_t at) { return static_cast<unsigned char>(buffer_[at]); };
    if (!need(2)) return std::nullopt;
    size_t head = 2, size = byte(1) & 127U;
    if (size >= 126) {
      const size_t wide = size == 126 ? 2 : 8;
      if (!need(2 + wide)) return std::nullopt;
      size = 0;
      for (size_t i = 0; i < wide; ++i) size = size << 8 | byte(2 + i);
      head += wide;
    }
    if (!need(head + size)) return std::nullopt;
    Frame out{byte(0) & 15U, buffer_.substr(head, size)};
    buffer_.erase(0, head + size);
    if (acknowledges && out.opcode == 2) acknowledge(out.payload);
    return out;
  }
  /// The next message of a type.
  nlohmann::json read_type(const std::string& type) {
    while (const auto frame = read_frame()) {
      if (frame->opcode != 1) continue;
      auto message = nlohmann::json::parse(frame->payload);
      if (message["type"] == type) return message;
    }
    throw std::runtime_error("disconnected before a message of type " + type);
  }
  /// The next binary frame.
  std::string read_binary() {
    while (auto frame = read_frame())
      if (frame->opcode == 2) return std::move(frame->payload);
    throw std::runtime_error("disconnected before a frame");
  }
  /// Frames until the server disconnects.
  void read_to_the_end() {
    while (read_frame()) {
    }
  }

 private:
  int socket_;
  std::string buffer_;
};

}  // namespace hawser
