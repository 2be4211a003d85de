package java

import (
	"math/big"
	"testing"
)

// TestWords: numbers, times and locales as Java's toString writes them.
func TestWords(t *testing.T) {
	number := func(s string) *big.Int {
		n, _ := new(big.Int).SetString(s, 10)
		return n
	}
	for got, want := range map[string]string{
		decimal(number("-123450"), 4):               "-12.3450",
		decimal(number("1"), -30):                   "1E+30",
		decimal(number("98765432109876543210"), 25): "0.0000098765432109876543210",
		decimal(number("1"), 7):                     "1E-7",
		decimal(number("-120"), 9):                  "-1.20E-7",
		decimal(number("0"), 0):                     "0",
		decimal(number("0"), 3):                     "0.000",
		decimal(number("12"), -1):                   "1.2E+2",
		localeWords("de", "AT", "", ""):             `"de_AT"`,
		localeWords("zh", "TW", "", "Hant"):         `"zh_TW_#Hant"`,
		localeWords("no", "NO", "NY", ""):           `"no_NO_NY"`,
		localeWords("fr", "", "EURO", ""):           `"fr__EURO"`,
		localeWords("", "", "", ""):                 `""`,
		duration(3661, 5000000):                     "PT1H1M1.005S",
		duration(-1, 500000000):                     "PT-0.5S",
		duration(-2, 500000000):                     "PT-1.5S",
		duration(0, 1):                              "PT0.000000001S",
		duration(7200, 0):                           "PT2H",
		period([]int64{1, 2, 3}):                    "P1Y2M3D",
		period([]int64{0, 0, 0}):                    "P0D",
		period([]int64{0, -1, 0}):                   "P-1M",
		year(12345) + year(-1) + year(99):           "+12345-00010099",
		timeForms["java.time.LocalTime"].write([]int64{23, 59, 58, 1000}):    "23:59:58.000001",
		timeForms["java.time.LocalTime"].write([]int64{1, 2, 0, 0}):          "01:02",
		timeForms["java.time.Instant"].write([]int64{1700000000, 123456789}): "2023-11-14T22:13:20.123456789Z",
		timeForms["java.time.Instant"].write([]int64{-1, 0}):                 "1969-12-31T23:59:59Z",
		timeForms["java.time.MonthDay"].write([]int64{12, 25}):               "--12-25",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
