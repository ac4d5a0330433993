#!/usr/bin/env bash
# Makes the small image that tests of containers start from, once: a shell, its tools and git, from Debian's packages, not
# configured. No registry is asked. Its tar is kept outside of the checkout, so that another checkout finds it.
set -eu
IMAGE=localhost/assay-base:1
PACKAGES="bash dash coreutils grep sed findutils tar gzip git libc6 libtinfo6 libselinux1 libpcre2-8-0 libacl1 libattr1 libgmp10 libstdc++6 libgcc-s1 zlib1g libcurl3-gnutls"
command -v podman >/dev/null || { echo "no podman: tests of containers are skipped"; exit 0; }
if podman image exists "$IMAGE"; then
  # What earlier tests built from it, and nobody has asked for in the last hour.
  base=$(podman image inspect --format '{{index .RootFS.Layers 0}}' "$IMAGE")
  builds="${XDG_CACHE_HOME:-$HOME/.cache}/assay-containers/builds"
  for name in $(podman images --filter label=assay-task=1 --format '{{.Repository}}:{{.Tag}}'); do
    [ -n "$(find "$builds/${name##*:}.used" -mmin -60 2>/dev/null)" ] && continue
    layer=$(podman image inspect --format '{{index .RootFS.Layers 0}}' "$name" 2>/dev/null) || continue
    [ "$layer" != "$base" ] || podman rmi "$name" >/dev/null 2>&1 || true
  done
  exit 0
fi
cache="${XDG_CACHE_HOME:-$HOME/.cache}/assay-tests"
mkdir -p "$cache"
tar="$cache/base-1-$(uname -m).tar"
if [ ! -s "$tar" ]; then
  command -v apt-get >/dev/null || { echo "no Debian: make $IMAGE yourself, or tests of containers are skipped"; exit 0; }
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/debs" "$work/root"
  # Written by apt's own user where there is one, which may not look into a folder of ours.
  # shellcheck disable=SC2086
  (cd "$work/debs" && apt-get download -qq -o APT::Sandbox::User=root $PACKAGES) >/dev/null ||
    { echo "Debian's packages can't be had: tests of containers are skipped"; exit 0; }
  for name in bin sbin lib lib64; do mkdir -p "$work/root/usr/$name" && ln -s "usr/$name" "$work/root/$name"; done
  for deb in "$work"/debs/*.deb; do dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$work/root" --keep-directory-symlink --exclude='./usr/share/doc/*' --exclude='./usr/share/locale/*' --exclude='./usr/share/man/*'; done
  mkdir -p "$work/root"/{etc,root,tmp,var/tmp,run,proc,sys,dev,home}
  ln -sf dash "$work/root/usr/bin/sh"
  echo "root:x:0:0:root:/root:/bin/bash" >"$work/root/etc/passwd"
  echo "root:x:0:" >"$work/root/etc/group"
  tar -C "$work/root" -cf "$tar.new.$$" . && mv "$tar.new.$$" "$tar"
fi
podman import --quiet "$tar" "$IMAGE" >/dev/null && echo "made the image $IMAGE"
