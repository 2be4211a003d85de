// home: containers of a program's own, in a namespace; a line for each variable says what it holds, as JSON.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#ifdef __clang__
#define PLACE __attribute__((noinline, used))
#else
#define PLACE __attribute__((noinline, noclone, used))
#endif

namespace acme {
namespace detail {
struct Hook {
	Hook *next_, *prev_;
};
} // namespace detail

template <class T> class Vec { // elements one after the other
	T *data_ = nullptr;
	unsigned size_ = 0, room_ = 0;

public:
	void add(const T &x) {
		if (size_ == room_) {
			T *more = new T[room_ = room_ * 2 + 1];
			for (unsigned i = 0; i < size_; i++) more[i] = data_[i];
			data_ = more;
		}
		data_[size_++] = x;
	}
};

template <class K, class V> class Dict { // chains of nodes from an array
	struct Node {
		Node *next_;
		V value_;
		K key_;
	};
	struct Table {
		Node **heads_;
		unsigned long count_;
	} table_{new Node *[4](), 4};

public:
	void put(const K &k, const V &v) {
		Node *&head = table_.heads_[std::hash<K>()(k) % table_.count_];
		head = new Node{head, v, k};
	}
};

template <class K, class V> class Flat { // slots that are empty, used, or were used
	struct Slot {
		K key;
		V value;
		signed char state;
	};
	Slot *slots_ = new Slot[8]();
	unsigned room_ = 8;

	Slot *find(K k) {
		for (unsigned i = unsigned(k) % room_;; i = (i + 1) % room_)
			if (slots_[i].state == 0 || slots_[i].key == k) return &slots_[i];
	}

public:
	void put(K k, V v) { *find(k) = Slot{k, v, 1}; }
	void drop(K k) { find(k)->state = 2; }
};

template <class T, detail::Hook T::*hook> class Chain { // elements that have the links in themselves
	detail::Hook root_{&root_, &root_};

public:
	void add(T &x) {
		detail::Hook *h = &(x.*hook);
		h->next_ = &root_, h->prev_ = root_.prev_;
		root_.prev_->next_ = h, root_.prev_ = h;
	}
};

template <class T> class Pile { // elements that lead to the one below
	T *top_ = nullptr;

public:
	void add(T &x) { x.below_ = top_, top_ = &x; }
};
} // namespace acme

struct Job {
	int number;
	acme::detail::Hook waiting;
	const char *name;
};

struct Plate {
	int size;
	Plate *below_;
};

acme::Vec<int> numbers;
acme::Vec<acme::Vec<short>> rows;
acme::Dict<std::string, int> ages;
acme::Flat<int, double> prices;
acme::Chain<Job, &Job::waiting> queue;
acme::Chain<Job, &Job::waiting> idle;
acme::Pile<Plate> pile;
Job jobs[] = {{1, {}, "sweep"}, {2, {}, "wash"}};
Plate plates[] = {{20, nullptr}, {25, nullptr}};

PLACE void last(const acme::Vec<int> &all) {
	std::fflush(stdout);
	if (&all) std::abort();
}

int main() {
	for (int i = 0; i < 5; i++) numbers.add(i * i);
	std::puts("numbers [0,1,4,9,16]");
	for (short i = 0; i < 3; i++) {
		acme::Vec<short> row;
		for (short k = 0; k < i; k++) row.add(10 * i + k);
		rows.add(row);
	}
	std::puts("rows [[],[10],[20,21]]");
	for (int i = 0; i < 7; i++) ages.put("person " + std::to_string(i), 30 + i);
	std::puts("ages {\"person 0\":30,\"person 1\":31,\"person 2\":32,\"person 3\":33,\"person 4\":34,\"person 5\":35,\"person 6\":36}");
	prices.put(3, 1.5), prices.put(11, 2.5), prices.put(4, 7), prices.drop(3);
	std::puts("prices [[11,2.5],[4,7]]");
	for (Job &j : jobs) queue.add(j);
	std::puts("queue ~[{\"number\":1,\"name\":\"sweep\"},{\"number\":2,\"name\":\"wash\"}]");
	std::puts("idle []");
	for (Plate &p : plates) pile.add(p);
	std::puts("pile ~[{\"size\":25},{\"size\":20}]");
	std::puts("numbers[3] 9");
	std::puts("ages[\"person 4\"] 34");
	std::puts("prices[11] 2.5");
	last(numbers);
}
