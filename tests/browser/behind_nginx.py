"""An nginx with the configuration of README.md, for the test of it."""

import os
import re
import shutil
import subprocess
import time
import urllib.request
from contextlib import contextmanager, suppress

from driving import ROOT, free_port

NGINX = os.environ.get("NGINX_PROGRAM") or shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
WRAPPED = """
daemon off; pid {here}/pid; error_log {here}/errors; worker_processes 1;
events {{ worker_connections 512; }}
http {{
    access_log off; default_type application/octet-stream;
    client_body_temp_path {here}/body; proxy_temp_path {here}/proxy; fastcgi_temp_path {here}/f; uwsgi_temp_path {here}/u;
    scgi_temp_path {here}/s;
    include {here}/course.conf;
}}
"""


@contextmanager
def nginx(folder, ports):
    """The address of an nginx with the configuration of README.md, but for the ports."""
    (text,) = re.findall(r"^```nginx\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.S | re.M)
    port = free_port()
    for named, used in zip(("127.0.0.1:8501", "127.0.0.1:8502", "listen 80;"), (*ports, port), strict=True):
        assert named in text
        text = text.replace(named, re.sub(r"(8501|8502|80)(?=;|$)", str(used), named))
    (folder / "course.conf").write_text(text)
    (folder / "nginx.conf").write_text(WRAPPED.format(here=folder))
    folder.chmod(0o777)  # started by root, it works as nobody
    server = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")])
    address, deadline = f"http://127.0.0.1:{port}", time.monotonic() + 30
    try:
        while True:
            with suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
                assert answer.read() == b"ok" and any("tbt_process=" in c for c in answer.headers.get_all("set-cookie"))
                break
            assert server.poll() is None and time.monotonic() < deadline, (folder / "errors").read_text()
            time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=30)
