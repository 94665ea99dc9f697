// Laws of damping from measurements: free decays, or storage and loss modulus. SI units.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "hawser/section.h"

namespace hawser {

enum class DampingLaw {
  kelvin_voigt,  ///< Damping::viscosity
  prony,         ///< Damping::relaxations
  fractional     ///< Damping::fractional
};

struct FitOptions {
  DampingLaw law = DampingLaw::kelvin_voigt;
  int terms = 1;                ///< prony: number of relaxations
  std::optional<double> order;  ///< fractional: held at this; none: fitted
  std::vector<double> times;    ///< prony: held at these, one a term [s]; empty: fitted
};

/// A free oscillation about rest, of one mode.
struct Decay {
  std::string name;           ///< for messages: its file
  std::vector<double> time;   ///< increasing [s]
  std::vector<double> value;  ///< of any unit
  std::string unit;           ///< of the value
};

/// The dynamic modulus E' + i E'' against frequency; of any unit, also as EA or EI.
struct ModulusTable {
  std::string name;
  std::vector<double> frequency;  ///< [Hz], > 0
  std::vector<double> storage, loss;
  std::string unit;  ///< of the moduli
};

struct FittedParameter {
  std::string name, unit;
  double value = 0;
  double uncertainty = 0;  ///< standard; of the law of large numbers, for noise without memory
  double interval = 0;     ///< half the range that holds the true value with 95 %
};

struct DampingFit {
  Damping damping;
  std::vector<FittedParameter> parameters;  ///< those of the law, then those of each data set
  Eigen::MatrixXd correlation;              ///< of the parameters, as listed
  double residual = 0;  ///< root mean square; of decays in their unit, of moduli relative
  std::vector<std::vector<double>> fitted;  ///< by data set: the values; storage, then loss
  std::vector<std::string> remarks;         ///< what the data could not tell
};

/// Fits offset + Re(A e^(lambda t)), where lambda^2 + omega0^2 factor(lambda) = 0 and factor is the
/// law's dynamic modulus over the static one: the parameters of the law are shared, omega0, A and
/// offset each decay's own. One decay tells one parameter of the law. Throws Error when the data
/// cannot be such decays or are too few.
DampingFit fit_decays(const std::vector<Decay>& decays, const FitOptions& options);

/// Fits E factor(2 pi i f), E and the law, to both moduli, each point by its own magnitude.
DampingFit fit_modulus(const ModulusTable& table, const FitOptions& options);

/// Reads a decay from a CSV file with a header: the first column is the time, `t [s]`; `column`
/// names the other, without its unit; empty: the second. Units are turned into SI.
Decay read_decay(const std::string& path, const std::string& column = {});

/// Reads frequency, storage and loss modulus, the first three columns of a CSV file with a header.
ModulusTable read_modulus(const std::string& path);

}  // namespace hawser
