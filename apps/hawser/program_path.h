// Where the running program lies.
#pragma once

#include <filesystem>

namespace hawser {

/// The folder of the running program; empty when the system does not tell.
std::filesystem::path program_folder();

}  // namespace hawser
