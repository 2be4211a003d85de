/*
 * server: workers ship the orders of a shop, one at a time under a lock. The customer of order
 * 1007 has no address, which the label does not expect.
 */
#include <chrono>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Address { std::string street, city; };
struct Customer { std::string name; std::unique_ptr<Address> address; };
struct Item { std::string article; int count; double price; };
enum class State { Paid, Packed, Shipped };

struct Order {
	unsigned number;
	std::shared_ptr<Customer> customer;
	std::vector<Item> items;
	State state = State::Paid;
};

struct Shop {
	std::mutex lock;
	std::map<unsigned, Order> orders;
	std::deque<unsigned> waiting;
	unsigned shipped = 0;
};

static Shop shop;

static std::string label(const Order &order)
{
	const Customer &to = *order.customer;
	return to.name + ", " + to.address->street + ", " + to.address->city;
}

static void ship(Order &order)
{
	double total = 0;
	for (const Item &item : order.items)
		total += item.count * item.price;
	order.state = State::Packed;
	std::this_thread::sleep_for(std::chrono::milliseconds(20)); // as a printer takes
	std::printf("%u\t%.2f\t%s\n", order.number, total, label(order).c_str());
	std::fflush(stdout);
	order.state = State::Shipped;
	shop.shipped++;
}

static void work()
{
	for (;;) {
		std::lock_guard<std::mutex> held(shop.lock);
		if (shop.waiting.empty())
			return;
		Order &order = shop.orders.at(shop.waiting.front());
		shop.waiting.pop_front();
		ship(order);
	}
}

static void fill()
{
	const char *names[] = {"Ada", "Grace", "Edsger", "Barbara"};
	const char *articles[] = {"lamp", "chair", "clock"};
	for (unsigned i = 0; i < 12; i++) {
		auto customer = std::make_shared<Customer>();
		customer->name = i == 6 ? "guest" : names[i % 4];
		if (i != 6)
			customer->address.reset(new Address{std::to_string(10 + i) + " Mill Lane", "Leeds"});
		Order order{1001 + i, customer, {}};
		for (unsigned k = 0; k <= i % 3; k++)
			order.items.push_back({articles[k], int(i + k) % 4 + 1, 19.5 + k});
		shop.waiting.push_back(order.number);
		shop.orders.emplace(order.number, order);
	}
}

int main()
{
	fill();
	std::vector<std::thread> workers;
	for (int i = 0; i < 4; i++)
		workers.emplace_back(work);
	for (std::thread &w : workers)
		w.join();
	return shop.shipped == 12 ? 0 : 1;
}
