#include "hawser/error.h"

namespace hawser {
namespace {

std::string message(const std::string& where, const std::string& found, const std::string& expected,
                    const std::string& remedy) {
  return where + ": found " + found + "; expected " + expected + "." +
         (remedy.empty() ? "" : " " + remedy);
}

}  // namespace

ErrorObject::ErrorObject(std::string of_kind, std::string of_name)
    : text(of_kind + " '" + of_name + "'"), kind(std::move(of_kind)), name(std::move(of_name)) {}

ErrorObject::ErrorObject(std::string of_kind, std::string of_name, std::string in_messages)
    : text(std::move(in_messages)), kind(std::move(of_kind)), name(std::move(of_name)) {}

ErrorObject ErrorObject::at(const std::string& its_field) const {
  ErrorObject out = *this;
  out.text += ", " + its_field;
  out.field += (out.field.empty() ? "" : ", ") + its_field;
  return out;
}

Error::Error(ErrorObject object, std::string found, std::string expected, std::string remedy)
    : std::runtime_error(message(object.text, found, expected, remedy)),
      object_(std::move(object)),
      found_(std::move(found)),
      expected_(std::move(expected)),
      remedy_(std::move(remedy)) {}

}  // namespace hawser
