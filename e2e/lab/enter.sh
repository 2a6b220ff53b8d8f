#!/bin/sh
# Runs a command in its own network namespace: public addresses lead to this machine, every port is free, and
# 127.0.0.1 resolves names. Usage: unshare --net --mount enter.sh <folder with resolv.conf and hosts> <command…>
set -eu
PATH=$PATH:/usr/sbin:/sbin
folder=$1
shift

command -v ip >/dev/null || {
  echo 'The lab needs the program ip. To install it: apt-get install iproute2' >&2
  exit 69
}

ip link set lo up
for last in 34 35 36 37 38 39 40 41 42 43 44 45; do
  ip addr add "93.184.216.$last/32" dev lo
done
for address in 10.0.0.1 169.254.169.254; do
  ip addr add "$address/32" dev lo
done
mount --bind "$folder/resolv.conf" /etc/resolv.conf
mount --bind "$folder/hosts" /etc/hosts
exec "$@"
