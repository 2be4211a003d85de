// A script of an extension or of the browser, which runs in a world of its own beside that of a document.
// It says of which, and whether it sees what scripts there have declared.
function content() {}
globalThis.content = content;
addEventListener("DOMContentLoaded", () => {
	const [, of] = top === window ? [0, "main"] : /mark=(same_one|other)$/.exec(location.search) || [];
	if (!of) return;
	const { id } = (globalThis.chrome || {}).runtime || {};
	const isolated = typeof say === "undefined" && typeof mark === "undefined";
	top.postMessage({ world: { of, isolated, origin: id && "chrome-extension://" + id } }, "*");
});
//# sourceURL=content.js
