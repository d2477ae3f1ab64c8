# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What must be true of the cluster's jobs and tags after a repair."""
from bed import PREFIX, Failed, full, trail_of


def need(fact, text):
    if not fact:
        raise Failed(text)


def only_asks(job):
    """A reading of mirrors, which is a job too."""
    return all(op["OP_ID"] == "OP_INSTANCE_QUERY_DATA" for op in job["ops"])


def our_jobs(bed, after):
    """Jobs of orderly with larger ids. All must be its own, and say so, but
    for those that the test sent itself."""
    found = []
    for job in bed.jobs(after):
        if job["id"] in bed.sent:
            continue
        if only_asks(job):
            continue
        trails = {trail_of(op) for op in job["ops"]}
        name = "job %d (%s)" % (job["id"], ", ".join(job["summary"]))
        need(None not in trails,
             "%s has no reason from gnt:daemon:maintd" % name)
        need(len(trails) == 1, "%s has several reasons: %s" % (name, trails))
        words = dict(word.split("=", 1) for word in trails.pop().split()
                     if "=" in word)
        # What is over on a group or the cluster belongs to no repair, and
        # neither does a move of what is well.
        tidies = all(op["OP_ID"] == "OP_TAGS_DEL"
                     and op["kind"] in ("cluster", "nodegroup")
                     for op in job["ops"])
        balances = words.get("intent", "").startswith("balance-")
        need(words.get("incident") or tidies or balances,
             "%s names no incident" % name)
        need(words.get("intent"), "%s names no intent" % name)
        found.append(dict(job, intent=words["intent"], name=name,
                          incident=words.get("incident", "")))
    return found


def each_intent_once(jobs):
    first = {}
    for job in jobs:
        need(job["intent"] not in first, "intent %s was sent twice: %s and %s"
             % (job["intent"], first.get(job["intent"]), job["name"]))
        first[job["intent"]] = job["name"]


def finds_no_token(job):
    """It was to keep a job from beginning that has begun before."""
    return job["status"] == "error" and all(
        op["OP_ID"] in ("OP_TAGS_DEL", "OP_TAGS_SET")
        and all(tag.startswith(("orderly:token:", "orderly:void:"))
                for tag in op["tags"])
        for op in job["ops"])


def all_went_well(jobs):
    for job in jobs:
        if finds_no_token(job):
            continue
        need(job["status"] == "success",
             "%s ended with status %s" % (job["name"], job["status"]))


def with_opcode(jobs, kind, **values):
    """Jobs that hold such an opcode."""
    return [job for job in jobs
            if any(op["OP_ID"] == kind
                   and all(op.get(key) == value
                           for key, value in values.items())
                   for op in job["ops"])]


def repair_tags(instance):
    return sorted(tag for tag in instance["tags"] if tag.startswith(PREFIX))


def is_final(tags):
    """A result and nothing pending."""
    return (any(tag.startswith(PREFIX + "result:") for tag in tags)
            and not any(tag.startswith(PREFIX + "pending:") for tag in tags))


def pending_ids(jobs, instance):
    """The repairs that a pending tag was written for, in order."""
    ids = []
    for job in jobs:
        for op in job["ops"]:
            if op["OP_ID"] != "OP_TAGS_SET" or op["name"] != full(instance):
                continue
            for tag in op["tags"]:
                part = tag[len(PREFIX):].split(":")
                if part[0] == "pending" and part[2] not in ids:
                    ids.append(part[2])
    return ids


def ended_well(bed, jobs, instance, steps, kind="failover", given=""):
    """One repair, whose pending tag became a success with all its jobs.
    `given`: the id of a pending tag that somebody else wrote."""
    row = bed.instances()[instance]
    tags = [tag for tag in repair_tags(row) if ":" in tag[len(PREFIX):]]
    need(len(tags) == 1, "%s should have one repair tag, has %s"
         % (instance, tags))
    part = tags[0][len(PREFIX):].split(":")
    need(part[:2] == ["result", kind] and part[4] == "success",
         "%s should end with result:%s:...:success, has %s"
         % (instance, kind, tags[0]))
    ids = pending_ids(jobs, instance)
    if given:
        need(part[2] == given and ids in ([], [given]), "%s: the tag of "
             "repair %s became a result of %s, pending tags were written for "
             "%s" % (instance, given, part[2], ids))
    else:
        need(ids == [part[2]], "%s: the result is of repair %s, but pending "
             "tags were written for %s" % (instance, part[2], ids))
    sent = []
    for code in steps:
        these = with_opcode(jobs, code, instance_name=full(instance))
        need(len(these) == 1, "%s: %d jobs with %s, should be one: %s"
             % (instance, len(these), code, [job["name"] for job in these]))
        need(these[0]["incident"] == part[2], "%s carries incident %s, not "
             "the repair's id %s"
             % (these[0]["name"], these[0]["incident"], part[2]))
        if str(these[0]["id"]) not in sent:
            sent.append(str(these[0]["id"]))
    need(part[5].split("+") == sent, "%s: the result names jobs %s, the "
         "repair's jobs are %s" % (instance, part[5], "+".join(sent)))
    need(row["status"] == "running", "%s is %s after its repair"
         % (instance, row["status"]))


def lives_on(bed, instance, primary, *secondaries):
    row = bed.instances()[instance]
    place = [name.split(".")[0] for name in [row["pnode"], *row["snodes"]]]
    need(place == [primary, *secondaries], "%s should be on %s, is on %s"
         % (instance, [primary, *secondaries], place))


def together(first, second):
    """For how many seconds two jobs ran at the same time; below zero: how far
    they were apart. How fast a machine is decides that, so it is only told:
    the drills say which repairs do not wait for each other."""
    begin = max(seconds(job["start_ts"]) for job in (first, second))
    end = min(seconds(job["end_ts"]) for job in (first, second))
    return end - begin


def seconds(stamp):
    """Of a time in the queue."""
    return stamp[0] + stamp[1] / 1e6


def left_alone(jobs, instance):
    """Nothing but tags was changed."""
    for job in jobs:
        for op in job["ops"]:
            need(op.get("instance_name") != full(instance),
                 "%s should be left alone, but %s was sent"
                 % (instance, job["name"]))


def may_not(bed, jobs, instance, needs):
    """Broken, and the permission is too weak: said so by one tag."""
    left_alone(jobs, instance)
    row = bed.instances()[instance]
    need(row["pnode"] == full("node2"),
         "%s was moved to %s" % (instance, row["pnode"]))
    tags = repair_tags(row)
    part = tags[0][len(PREFIX):].split(":") if len(tags) == 1 else []
    need(part[:2] == ["result", needs] and part[4:] == ["enoperm", ""],
         "%s should have one tag result:%s:...:enoperm: and has %s"
         % (instance, needs, tags))


def only_these(jobs, instances):
    """No job touches another instance."""
    names = {full(name) for name in instances}
    for job in jobs:
        for op in job["ops"]:
            name = op.get("instance_name")
            if op["OP_ID"].startswith("OP_TAGS"):
                name = op["name"]
            need(name is None or name in names,
                 "%s touches %s, which is not broken" % (job["name"], name))


def node_is_down(bed, jobs, incident_from):
    row = bed.node("node2")
    need(row["offline"], "node2 is not marked offline")
    need(row["powered"] is False, "node2 is not recorded powered off")
    marks = with_opcode(jobs, "OP_NODE_SET_PARAMS", node_name=full("node2"))
    need(len(marks) == 1, "%d jobs mark node2 offline, should be one: %s"
         % (len(marks), [job["name"] for job in marks]))
    need(incident_from in ("", marks[0]["incident"]),
         "%s carries incident %s, orderly says %s"
         % (marks[0]["name"], marks[0]["incident"], incident_from))


def repaired(bed, jobs, incident=""):
    """Everything that is asked for after the loss of node2."""
    node_is_down(bed, jobs, incident)
    repaired_only(bed, jobs)


def repaired_only(bed, jobs):
    """The same, where somebody else has marked node2."""
    each_intent_once(jobs)
    all_went_well(jobs)
    only_these(jobs, ["inst1", "inst2", "inst3"])
    ended_well(bed, jobs, "inst1", ["OP_INSTANCE_FAILOVER",
                                    "OP_INSTANCE_REPLACE_DISKS"])
    ended_well(bed, jobs, "inst3", ["OP_INSTANCE_FAILOVER"])
    may_not(bed, jobs, "inst2", "reinstall")
    rows = bed.instances()
    need(rows["inst1"]["pnode"] == full("node3")
         and rows["inst1"]["snodes"] == [full("node1")],
         "inst1 should be on node3 with secondary node1, is on %s with %s"
         % (rows["inst1"]["pnode"], rows["inst1"]["snodes"]))
    for name in ("inst1", "inst3"):
        need(rows[name]["status"] == "running"
             and rows[name]["pnode"] != full("node2"),
             "%s is %s on %s" % (name, rows[name]["status"],
                                 rows[name]["pnode"]))
