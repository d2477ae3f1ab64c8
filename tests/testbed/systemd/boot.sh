#!/bin/bash
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# boot.sh FOLDER PROGRAMS SOURCES: becomes the systemd of a machine that is made
# of this one's programs, those in PROGRAMS, and nothing else. Its files are in
# memory and end with it; what it does not make is this machine's, to be read.
# To be run in new namespaces of processes, mounts, names, network and control
# groups (see run.py); what it says goes to FOLDER/console.
set -eu

folder=$1 programs=$2 sources=$3
root=$folder/root

mount --make-rprivate /
mkdir -p "$root"
mount -t tmpfs -o mode=755 tmpfs "$root"
cd "$root"
mkdir etc var run tmp proc sys dev root opt home usr .upper .work old
chmod 1777 tmp
for name in bin sbin lib lib64; do
  ln -s "usr/$name" "$name"
done

# What is put here lies over this machine's /usr and never in it.
mkdir -p .upper/usr .work/usr
mount -t overlay -o "lowerdir=/usr,upperdir=$root/.upper/usr,workdir=$root/.work/usr" \
  overlay usr
# Of the services of this machine none is begun; PROGRAMS stand where the units
# name them.
install -m 755 "$programs/orderlyd" "$programs/orderly-agent" usr/sbin/
install -m 755 "$programs/orderly" usr/bin/
mkdir -p usr/lib/orderly
cp -r "$sources/configs/helpers" usr/lib/orderly/

mkdir -p etc/systemd/system etc/orderly var/lib var/log var/tmp var/cache
chmod 1777 var/tmp
ln -s ../run var/run
cp -a /etc/passwd /etc/group /etc/nsswitch.conf /etc/alternatives /etc/ssl etc/
cp -a /etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d etc/
echo systemdbed > etc/hostname
echo '127.0.0.1 localhost systemdbed' > etc/hosts
tr -d - < /proc/sys/kernel/random/uuid > etc/machine-id
cp "$sources"/configs/orderlyd.service "$sources"/configs/orderlyd.socket \
  "$sources"/configs/orderly-agent.service etc/systemd/system/

mkdir opt/orderly
mount --bind "$sources" opt/orderly
mount -o remount,bind,ro opt/orderly

mount -t proc proc proc
# What systemd would tune there is the kernel of the whole machine.
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do
  touch "dev/$name"
  mount --bind "/dev/$name" "dev/$name"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
touch dev/console
mount --bind "$folder/console" dev/console

# What one does to the memory of a machine ends here, too.
pivot_root . old
umount -l /old
# What systemd mounts for a service is seen in it only if mounts are passed on.
mount --make-rshared /
exec env -i container=orderly PATH=/usr/sbin:/usr/bin \
  chroot . /lib/systemd/systemd --unit=basic.target --log-target=journal \
  --show-status=0 < /dev/null > /dev/console 2>&1
