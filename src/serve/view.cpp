#include "hawser/view.h"

#include "report/page.h"
#include "serve/session.h"

namespace hawser {
namespace {

ServerOptions server_options(const ViewOptions& options, const LiveRun& run) {
  ServerOptions out;
  out.host = options.host;
  out.port = options.port;
  out.token = random_token();
  out.title = run.file().title;
  out.script = {live_script, live_script_size};
  return out;
}

}  // namespace

bool has_live_page() { return live_script_size > 0; }

struct LiveView::Impl {
  Impl(const std::string& scene, const ViewOptions& options)
      : session(scene, options), server(server_options(options, session.live()), session) {}

  Session session;
  Server server;
};

LiveView::LiveView(const std::string& scene, const ViewOptions& options)
    : impl_(std::make_unique<Impl>(scene, options)) {}
LiveView::~LiveView() = default;

std::string LiveView::address() const { return impl_->server.address(); }
void LiveView::run(const std::function<bool()>& stop) { impl_->session.run(impl_->server, stop); }

}  // namespace hawser
