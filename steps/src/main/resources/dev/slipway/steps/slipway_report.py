"""Writes down, for the server that started the playbook, how each host fared, which task failed on
it and what set_stats left. People read the log; this file is for the machine."""

import json
import math
import os

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
    name: slipway_report
    type: notification
    short_description: report for Slipway
    description: Writes the recap of a playbook as JSON into the file that SLIPWAY_ANSIBLE_REPORT names.
"""

LONGEST = 2000


def plain(value):
    """A value as plain JSON, whatever Ansible wrapped it in."""
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [plain(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return str(value)


def said(outcome):
    """Why a task failed, in its own words; hidden when the task hides its words."""
    if outcome.get("censored"):
        return "(hidden by no_log)"
    for item in outcome.get("results") or []:
        if isinstance(item, dict) and (item.get("failed") or item.get("unreachable")):
            return said(item)
    text = str(outcome.get("msg") or outcome.get("module_stderr") or "").strip()
    error = str(outcome.get("stderr") or "").strip()
    if error:
        text += ": " + error.splitlines()[-1]
    return text[:LONGEST]


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "slipway_report"

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.failures = {}

    def v2_runner_on_failed(self, result, ignore_errors=False):
        if not ignore_errors:
            self.remember(result)

    def v2_runner_on_unreachable(self, result):
        self.remember(result)

    def remember(self, result):
        # Later versions of Ansible show these without the underscore and warn of the other form.
        modern = hasattr(result, "task")
        host = result.host if modern else result._host
        task = result.task if modern else result._task
        outcome = result.result if modern else result._result
        self.failures[host.get_name()] = {
            "task": str(task.get_name() or task.action).strip(),
            "message": said(outcome),
        }

    def v2_playbook_on_stats(self, stats):
        hosts = {}
        for host in sorted(stats.processed):
            recap = stats.summarize(host)
            hosts[str(host)] = {
                "ok": recap["ok"],
                "changed": recap["changed"],
                "unreachable": recap["unreachable"],
                "failed": recap["failures"],
                "skipped": recap["skipped"],
                "rescued": recap["rescued"],
                "ignored": recap["ignored"],
            }
        data = {str(name): plain(values) for name, values in (stats.custom or {}).items()}
        report = {
            "hosts": hosts,
            "failures": self.failures,
            "data": data.pop("_run", {}),
            "per_host": data,
        }
        path = os.environ["SLIPWAY_ANSIBLE_REPORT"]
        with open(path + ".part", "w", encoding="utf-8") as file:
            json.dump(report, file)
        os.replace(path + ".part", path)
