// What a file of measurements may look like, and what is said of one that cannot be read.
#include <gtest/gtest.h>

#include <fstream>

#include "hawser/error.h"
#include "hawser/fit.h"
#include "temporary_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

class TableFile : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  /// What is said, without the folder.
  template <class Read>
  std::string said(const std::string& text, const Read& read) {
    try {
      read(write(text));
      return "none";
    } catch (const Error& e) {
      const std::string what = e.what();
      const size_t at = what.find("data.csv");
      return at == std::string::npos ? what : what.substr(at);
    }
  }
  std::string of_decay(const std::string& text, const std::string& column = {}) {
    return said(text, [&](const std::string& p) { return read_decay(p, column); });
  }
  std::string of_modulus(const std::string& text) {
    return said(text, [](const std::string& p) { return read_modulus(p); });
  }

  TemporaryFolder folder;
  std::string path = folder / "data.csv";
};

TEST_F(TableFile, TurnsUnitsIntoSI) {
  const Decay d = read_decay(write("# measured\nt [ms], x [mm]\r\n0,1\r\n\n250 , -2.5e1\r\n"));
  EXPECT_EQ(d.time, (std::vector<double>{0, 0.25}));
  EXPECT_EQ(d.value, (std::vector<double>{1e-3, -25e-3}));
  EXPECT_EQ(d.unit, "m");
}

TEST_F(TableFile, TakesTheNamedColumn) {
  const Decay d =
      read_decay(write("time [s],force [kN],tip.z@end [m],count\n0,1,2,3\n1,4,5,6\n"), "tip.z@end");
  EXPECT_EQ(d.value, (std::vector<double>{2, 5}));
  EXPECT_EQ(read_decay(path, "count").unit, "");
  EXPECT_EQ(read_decay(path).unit, "N");
}

TEST_F(TableFile, ReadsModuli) {
  const ModulusTable t = read_modulus(write("f [Hz],E' [GPa],E'' [GPa]\n2,3,0.5\n"));
  EXPECT_EQ(t.frequency, std::vector<double>{2});
  EXPECT_EQ(t.storage, std::vector<double>{3e9});
  EXPECT_EQ(t.loss, std::vector<double>{0.5e9});
  EXPECT_EQ(t.unit, "Pa");
}

TEST_F(TableFile, SaysWhereItIsWrong) {
  EXPECT_EQ(of_decay("t [s],x [m]\n0,1\n1,nan\n"),
            "data.csv:3: column 2 ('x'): found 'nan'; expected a finite number.");
  EXPECT_EQ(of_decay("t [s],x [m]\n0,1\n\n1;2,3\n"),
            "data.csv:4: column 1 ('t'): found '1;2'; expected a finite number.");
  EXPECT_EQ(of_decay("t [s],x [m]\n0\n"),
            "data.csv:2: found 1 columns; expected 2, as in the header.");
  EXPECT_EQ(of_decay("t [s]\n0\n"),
            "data.csv:1: found 1 column; expected two or more: time and displacement. Separate "
            "columns by commas.");
  EXPECT_EQ(of_decay("0,1\n1,2\n"),
            "data.csv:1: column 1: found the number 0; expected a header: `t [s],x [m]`. Name the "
            "columns in the first line, with their units.");
  EXPECT_EQ(of_decay("t [s],x [furlong]\n0,1\n"),
            "data.csv:1: column 2: found the unknown unit 'furlong'; expected a unit such as s, "
            "ms, m, mm, Hz, Pa, GPa, N.");
  EXPECT_EQ(of_decay(""), "data.csv: found an empty file; expected a header and rows of numbers.");
  EXPECT_EQ(of_decay("t [s],x [m]\n0,1\n", "y"),
            "data.csv, --column: found unknown column 'y'; expected one of: t, x.");
  EXPECT_EQ(of_decay("f [Hz],E1 [Pa],E2 [Pa]\n1,2,3\n"),
            "data.csv:1: column 1 ('f'): found a frequency; expected a time, such as 10 ms. Use "
            "--modulus to read a table of moduli versus frequency.");
  EXPECT_EQ(of_modulus("f [Hz],E1 [Pa],E2 [N]\n1,2,3\n"),
            "data.csv:1: found a storage modulus in Pa and a loss modulus in N; expected one unit "
            "for both.");
  EXPECT_THROW(read_decay(folder / "none.csv"), Error);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
