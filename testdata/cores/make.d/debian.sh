# debian.sh: packages of other releases and architectures of Debian, without installing
# them. Sourced by make.

# debian_mirror: where this machine's apt gets Debian from.
debian_mirror() {
	local found
	found=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
		grep -v '^[[:space:]]*#' | grep -oE 'https?://[^][:space:]]+/debian/?' | head -1)
	echo "${DEBIAN_MIRROR:-$found}"
}

# debian_source SUITE SOURCE: the files of a source package, in this folder.
debian_source() {
	kind=deb-src debian_packages amd64 "$1" && APT_CONFIG=$PWD/apt/conf apt-get -qq source --download-only "$2"
}

# debian_packages ARCH SUITES: an apt of its own in ./apt, with packages ($kind, default deb) of
# other releases or architectures, the last of the suites first. Nothing is installed.
debian_packages() {
	local suite
	mkdir -p apt/lists/partial apt/cache/archives/partial root
	: >apt/status
	for suite in $2; do
		echo "${kind:-deb} [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(debian_mirror) $suite main"
	done >apt/sources.list
	cat >apt/conf <<-X
		Dir::State "$PWD/apt"; Dir::State::status "$PWD/apt/status"; Dir::Cache "$PWD/apt/cache";
		Dir::Etc::SourceList "$PWD/apt/sources.list"; Dir::Etc::SourceParts "/dev/null";
		APT::Architecture "$1"; APT::Architectures { "$1"; }; APT::Sandbox::User "root"; APT::Default-Release "${2##* }";
		Acquire::Languages "none"; Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
	X
	APT_CONFIG=$PWD/apt/conf apt-get -qq update
}

# debian_unpack PACKAGE...: from there into ./root, and apt is removed.
debian_unpack() {
	(cd apt/cache/archives && APT_CONFIG=$OLDPWD/apt/conf apt-get -qq download "$@") && debian_unpacked
}

# debian_install PACKAGE...: the same, with all that they depend on.
debian_install() {
	APT_CONFIG=$PWD/apt/conf apt-get -qq -y --no-install-recommends --download-only install "$@" >/dev/null && debian_unpacked
}

debian_unpacked() {
	local deb
	for deb in apt/cache/archives/*.deb; do dpkg-deb -x "$deb" root || return; done
	rm -rf apt root/usr/share/{doc,man,locale}
}
