# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# A simulated DRBD.  The testbed appends this file to a copy of the installed
# ganeti/storage/drbd.py and binds the copy over it inside the virtual hosts,
# so that state files stand in for the kernel's DRBD.  A connection is lost
# when the peer loses power.  No data is replicated; a resync takes no time.
import json as _tb_json, os as _tb_os, glob as _tb_glob
_TB_LOCAL = "/run/testbed/drbd"                 # vanishes at "power off"
_TB_LINKS = _tb_os.environ.get("TESTBED_LINKS") or open("/run/testbed/links").read().strip()


class _TbStatus(object):
  def __init__(self, st, peer):
    self.is_standalone = not st["net"]
    self.is_connected = bool(st["net"] and peer)
    self.is_wfconn = bool(st["net"] and not peer)
    self.is_in_resync = False
    self.sync_percent = None
    self.est_time = None
    self.is_diskless = not st["local"]
    self.is_disk_uptodate = st["local"]
    self.peer_disk_uptodate = bool(peer)
    self.is_primary = st["role"] == "Primary"
    self.is_secondary = not self.is_primary
    self.peer_primary = bool(peer and peer["role"] == "Primary")
    self.peer_secondary = bool(peer and peer["role"] != "Primary")
    self.is_in_use = True
    self.is_unconfigured = False

  def __repr__(self):
    return "fake-drbd %r" % self.__dict__


class _TbDrbd8(DRBD8):
  @staticmethod
  def GetUsermodeHelper(filename=None):
    return "/bin/true"

  class _Info(object):
    def GetVersionString(self):
      return "8.4.11-testbed"
    def GetVersion(self):
      return {"k_major": 8, "k_minor": 4, "k_point": 11, "api": 1, "proto": 86}
    def GetMinors(self):
      return _TbDrbd8.GetUsedDevs()

  @staticmethod
  def GetProcInfo():
    return _TbDrbd8._Info()

  @staticmethod
  def GetUsedDevs():
    return sorted(int(_tb_os.path.basename(p)) for p in _tb_glob.glob(_TB_LOCAL + "/[0-9]*"))

  @staticmethod
  def ShutdownAll(minor):
    try:
      _tb_os.unlink("%s/%d" % (_TB_LOCAL, minor))
    except OSError:
      pass


for _n in ("GetUsermodeHelper", "GetProcInfo", "GetUsedDevs", "ShutdownAll"):
  setattr(DRBD8, _n, _TbDrbd8.__dict__[_n])


class DRBD8Dev(base.BlockDev):  # pylint: disable=E0102
  def __init__(self, unique_id, children, size, params, dyn_params, **kwargs):
    if children and children.count(None) > 0:
      children = []
    super(DRBD8Dev, self).__init__(unique_id, children, size, params, dyn_params, **kwargs)
    self.major = 147
    self._lhost = dyn_params[constants.DDP_LOCAL_IP]
    self._rhost = dyn_params[constants.DDP_REMOTE_IP]
    self._port = unique_id[2]
    self._aminor = dyn_params[constants.DDP_LOCAL_MINOR]
    self.Attach()

  def _Path(self):
    return "%s/%d" % (_TB_LOCAL, self._aminor)

  def _Link(self, host):
    return "%s/%s-%s" % (_TB_LINKS, self._port, host)

  def _Load(self):
    try:
      return _tb_json.load(open(self._Path()))
    except (IOError, OSError, ValueError):
      return None

  def _Save(self, st):
    _tb_os.makedirs(_TB_LOCAL, exist_ok=True)
    for path, on in ((self._Path(), True), (self._Link(self._lhost), st["net"])):
      if on:
        with open(path + ".new", "w") as fd:
          _tb_json.dump(st, fd)
        _tb_os.rename(path + ".new", path)
      elif _tb_os.path.exists(path):
        _tb_os.unlink(path)

  def _Need(self):
    st = self._Load()
    if st is None:
      base.ThrowError("drbd%d: not configured", self._aminor)
    return st

  def _Set(self, **kw):
    self._Save(dict(self._Need(), **kw))

  def Attach(self, **kwargs):
    self.attached = self._Load() is not None
    self.minor = self._aminor if self.attached else None
    self.dev_path = "/dev/drbd%d" % self._aminor if self.attached else None
    return self.attached

  def Assemble(self):
    if self._Load() is None:
      self._Save({"role": "Secondary", "net": bool(self._lhost and self._rhost), "local": bool(self._children),
                  "port": self._port})
    else:
      st = self._Load()
      st["local"] = bool(self._children)
      st["net"] = st["net"] or bool(self._lhost and self._rhost)
      self._Save(st)
    self.Attach()

  def Shutdown(self):
    if self._Load() is not None:
      self._Set(net=False)
      _tb_os.unlink(self._Path())
    self.Attach()

  def GetProcStatus(self):
    peer = None
    try:
      peer = _tb_json.load(open(self._Link(self._rhost)))
    except (IOError, OSError, ValueError):
      pass
    return _TbStatus(self._Need(), peer)

  def GetSyncStatus(self):
    s = self.GetProcStatus()
    return objects.BlockDevStatus(dev_path=self.dev_path, major=self.major, minor=self.minor, sync_percent=None,
                                  estimated_time=None, is_degraded=not (s.is_connected and s.is_disk_uptodate),
                                  ldisk_status=constants.LDS_OKAY if s.is_disk_uptodate else constants.LDS_FAULTY)

  def Open(self, force=False, exclusive=True):
    self._Set(role="Primary")

  def Close(self):
    self._Set(role="Secondary")

  def DisconnectNet(self):
    self._Set(net=False)

  def AttachNet(self, multimaster):
    self._Set(net=True)

  def AddChildren(self, devices):
    self._children = list(devices)
    self._Set(local=True)

  def RemoveChildren(self, devices):
    self._children = []
    self._Set(local=False)

  def SetSyncParams(self, params):
    return []

  def PauseResumeSync(self, pause):
    return True

  def SetInfo(self, text):
    for child in self._children or []:
      child.SetInfo(text)

  def Remove(self):
    self.Shutdown()

  def Rename(self, new_id):
    pass

  def Grow(self, amount, dryrun, backingstore, excl_stor):
    if not backingstore and not dryrun:
      self.size += amount

  def GetActualSize(self):
    return self.size * 1024 * 1024

  @classmethod
  def Create(cls, unique_id, children, size, spindles, params, excl_stor, dyn_params, **kwargs):
    if len(children) != 2 or None in children:
      raise errors.ProgrammerError("Invalid setup for the drbd device")
    return cls(unique_id, children, size, params, dyn_params)
