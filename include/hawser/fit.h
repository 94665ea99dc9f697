// Fits damping laws to measurements: free decays, or storage and loss moduli. SI units.
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
  std::optional<double> order;  ///< fractional: fixed order; not set: fitted
  std::vector<double> times;    ///< prony: fixed times, one per term [s]; empty: fitted
};

/// A free oscillation of one mode about equilibrium.
struct Decay {
  std::string name;           ///< used in messages: the file name
  std::vector<double> time;   ///< increasing [s]
  std::vector<double> value;  ///< in any unit
  std::string unit;           ///< of the value
};

/// The dynamic modulus E' + i E'' versus frequency, in any unit; EA or EI may be used instead.
struct ModulusTable {
  std::string name;
  std::vector<double> frequency;  ///< [Hz], > 0
  std::vector<double> storage, loss;
  std::string unit;  ///< of the moduli
};

struct FittedParameter {
  std::string name, unit;
  double value = 0;
  double uncertainty = 0;  ///< standard error (asymptotic, assumes uncorrelated noise)
  double interval = 0;     ///< half-width of the 95 % confidence interval
};

struct DampingFit {
  Damping damping;
  std::vector<FittedParameter> parameters;  ///< of the law, then of each data set
  Eigen::MatrixXd correlation;              ///< of the parameters, in that order
  double residual = 0;  ///< root mean square; decays: in their unit, moduli: relative
  std::vector<std::vector<double>> fitted;  ///< fitted values per data set; storage, then loss
  std::vector<std::string> remarks;         ///< what the data do not determine
};

/// Fits offset + Re(A e^(lambda t)), where lambda^2 + omega0^2 factor(lambda) = 0 and factor is the
/// ratio of the law's dynamic modulus to the static one. All decays share the parameters of the
/// law; each has its own omega0, A and offset. One decay determines one parameter of the law.
/// Throws Error if the data are not such decays or are too few.
DampingFit fit_decays(const std::vector<Decay>& decays, const FitOptions& options);

/// Fits E factor(2 pi i f), with E and the law unknown, to both moduli. Residuals are relative.
DampingFit fit_modulus(const ModulusTable& table, const FitOptions& options);

/// Reads a decay from a CSV file with a header. The first column is time, `t [s]`; `column` names
/// the value column without its unit (empty: the second column). Values are converted to SI.
Decay read_decay(const std::string& path, const std::string& column = {});

/// Reads frequency, storage modulus and loss modulus from the first three columns of a CSV file.
ModulusTable read_modulus(const std::string& path);

}  // namespace hawser
