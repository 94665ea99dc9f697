// `hawser report`: a run as one HTML file.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "hawser/report.h"

namespace hawser {

void add_report_command(Command& program) {
  struct Arguments {
    std::string directory, output;
  };
  Command& command =
      program.add("report", "Write the report of a run: 3D replay, plots and tables, as HTML");
  const auto a = std::make_shared<Arguments>();
  command.option("results", &a->directory, "Results folder",
                 {.type_name = "DIR", .required = true});
  command.option("-o,--output", &a->output,
                 "Output file; default: report.html in the results folder", {.type_name = "FILE"});
  command.footer(
      "The report is one file of at most 2 MB. It opens in any browser of 2023 or later and needs "
      "no network. `hawser run` writes it, too.");
  command.does([a] {
    const std::string path = a->output.empty() ? a->directory + "/report.html" : a->output;
    write_report(a->directory, path);
    std::fputs(fmt::format("{}\n", path).c_str(), stdout);
    return exit_ok;
  });
}

}  // namespace hawser
