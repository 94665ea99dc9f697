// The numbers of a section: of the library, of a solid round bar, or given.
#pragma once

#include "scene/fields.h"
#include "scene/values.h"

namespace hawser {

/// Fills EA, EI, GJ, mass, breaking load and drag into the section's text; what it says itself
/// stays.
/// `material` is the one it names, or null.
void section_of(ReadContext& context, const MaterialText* material, const std::string& path,
                const Mark& at, SectionText& section);

}  // namespace hawser
