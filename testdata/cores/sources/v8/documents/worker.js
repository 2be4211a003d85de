const mark = new URL(location).searchParams.get("mark");
(0, eval)(`function ${mark}() {} new Event("${mark}");
	postMessage({ mark: "${mark}", href: location.href, kind: "worker", origin: self.origin });
	//# sourceURL=${mark}`);
