// The report of a run: one HTML file with a 3D replay, plots and tables, which opens in any browser
// without a network.
#pragma once

#include <cstddef>
#include <string>

namespace hawser {

/// False if this library was built without Node.js, which builds the page of reports.
bool has_report_page();

/// Writes the report of the run in a results folder to `file`. It needs results.h5, summary.json
/// and scene.yaml of the folder. Recorded shapes and samples are thinned out until the report is
/// no larger than `most_bytes`; the report states how many it holds and the error of the replay.
/// Throws Error if a file is missing or the library has no page, WriteError if writing fails.
void write_report(const std::string& directory, const std::string& file,
                  size_t most_bytes = 2'000'000);

}  // namespace hawser
