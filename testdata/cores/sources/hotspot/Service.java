import java.util.*;
import java.util.concurrent.*;

/** A service whose sessions never end: each request leaves one, with what it has answered. The heap fills, and the JVM ends the process for it. */
public class Service {
	static class Session {
		final String user;
		final List<byte[]> answers = new ArrayList<>();

		Session(String user) { this.user = user; }
	}

	static class Sessions {
		static final Sessions ALL = new Sessions();
		final Map<String, Session> byToken = new ConcurrentHashMap<>();

		Session of(String token, String user) { return byToken.computeIfAbsent(token, t -> new Session(user)); }
	}

	static void handle(int request) {
		Session s = Sessions.ALL.of("token-" + request, "user-" + request % 100);
		s.answers.add(new byte[4000]);
	}

	public static void main(String[] args) throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(4);
		for (int i = 0; i < 4; i++) {
			int first = i;
			pool.submit(() -> {
				for (int request = first; ; request += 4)
					handle(request);
			});
		}
		pool.awaitTermination(1, TimeUnit.DAYS);
	}
}
