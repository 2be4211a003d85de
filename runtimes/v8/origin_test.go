package v8

import "testing"

// TestOrigin reads security tokens as LocalWindowProxy::SetSecurityToken makes them: an origin, and in Chromium
// 156 the agent cluster. The token of an isolated world has both twice.
func TestOrigin(t *testing.T) {
	const agent = "1E7A9FD767BB24EB0E32F26BDCE91DBE"
	for token, want := range map[string]string{
		"":                       "",
		"https://a.example":      "https://a.example",
		"http://127.0.0.1:36775": "http://127.0.0.1:36775",
		"file://" + agent:        "file://",
		"http://a:36775" + agent: "http://a:36775",
		"http://a" + agent + "chrome-extension://b" + agent: "",
	} {
		if got := Origin(token); got != want {
			t.Errorf("%q is of %q, want %q", token, got, want)
		}
	}
	for text, want := range map[string]bool{
		"https://a": true, "chrome-extension://b": true, "a+b-c.1://d": true, "://": false, "no address": false,
		"Http://a": false,
		"The script is not of an allowed source: http://localhost:*": false,
	} {
		if got := beginsAsAddress(text); got != want {
			t.Errorf("%q begins as an address: %v, want %v", text, got, want)
		}
	}
}
