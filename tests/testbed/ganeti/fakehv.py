# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Ganeti's fake hypervisor reads its state files while it writes or removes
# them, so that on a busy machine jobs fail that ask a node for its instances.
# The testbed appends this file to a copy of the installed hv_fake.py, as it
# does with fakedrbd.py: each file is there whole, or not at all.


def _TbMarkUp(self, instance, memory):
  utils.WriteFile(self._InstanceFile(instance.name), data="0\n%d\n%d\n"
                  % (memory, instance.beparams[constants.BE_VCPUS]))


def _TbListInstances(self, hvparams=None):
  # What WriteFile has not renamed yet.
  return [name for name in os.listdir(self._ROOT_DIR)
          if not name.endswith(".new")]


def _TbGetInstanceInfo(self, instance_name, hvparams=None):
  try:
    with open(self._InstanceFile(instance_name)) as fh:
      inst_id, memory, vcpus = fh.read().split()
  except FileNotFoundError:
    return None
  return (instance_name, inst_id, int(memory), int(vcpus),
          hv_base.HvInstanceState.RUNNING, 0)


def _TbGetAllInstancesInfo(self, hvparams=None):
  rows = [self.GetInstanceInfo(name) for name in self.ListInstances()]
  return [row for row in rows if row]


FakeHypervisor._MarkUp = _TbMarkUp
FakeHypervisor.ListInstances = _TbListInstances
FakeHypervisor.GetInstanceInfo = _TbGetInstanceInfo
FakeHypervisor.GetAllInstancesInfo = _TbGetAllInstancesInfo
