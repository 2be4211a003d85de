/*
 * values_more: a second unit with the types of values.cc, linked beside it, so that there is
 * something for dwz to share.
 */
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

struct more {
	std::string text;
	std::vector<std::string> texts;
	std::map<std::string, int> ages;
	std::unordered_map<int, std::string> names;
	std::set<int> numbers;
	std::list<short> list;
	std::deque<long> queue;
	std::optional<double> maybe;
	std::variant<int, std::string> either;
	std::unique_ptr<int> own;
	std::shared_ptr<std::string> shared;
	std::function<int(int)> call;
};

more *all_more(more *m)
{
	m->texts.push_back(m->text);
	m->ages[m->text]++;
	return m->own ? m : nullptr;
}
