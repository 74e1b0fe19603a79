import os, subprocess, tempfile, pathlib, time, psycopg
from tests.conftest import *
from tests.machines.outside import postgres
from tests.machines.wire import Wire, listen
from tests.machines.town import FAST, Town
from tests.chaos.processes import Crew, environment, wait_until
from tests.rabbitmq.node import free_port
from sandbox import serving
def test_it(database_url, servers, tmp_path):
    town = Town(database_url, 8)
    wire = Wire(listen(), postgres(database_url).target)
    host, port = wire.address.split(":")
    d = pathlib.Path(tempfile.mkdtemp()); d.chmod(0o777)
    p = free_port()
    (d/"b.ini").write_text(f"[databases]\n* = host={host} port={port} user=scrapersky\n[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port={p}\nauth_type=any\npool_mode=transaction\ndefault_pool_size=6\nmax_client_conn=500\nunix_socket_dir=\nignore_startup_parameters=extra_float_digits\nlogfile={d}/log\npidfile={d}/pid\n")
    b = subprocess.Popen(["setpriv","--reuid=65534","--regid=65534","--clear-groups","/usr/sbin/pgbouncer",str(d/"b.ini")],stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL)
    name = postgres(database_url).pattern.rpartition("/")[2]
    try:
        with serving(town.world) as served:
            env = environment(str(tmp_path), **FAST, DATABASE_URL=f"postgresql://scrapersky@127.0.0.1:{p}/{name}", REDIS_URL=servers.broker_url, SANDBOX_ADDRESS=f"127.0.0.1:{served.address[1]}")
            crew = Crew(env, tmp_path)
            try:
                town.search(); [crew.start(n) for n in ("worker","recovery","sweeper","clock")]
                most = 0
                def over():
                    nonlocal most
                    most = max(most, town.many("pg_stat_activity WHERE datname=current_database() AND pid<>pg_backend_pid()"))
                    return town.done()>5 and town.is_over()
                ok = wait_until(over, 120)
                crew.stop()
                assert ok, town.still_open()
                town.check(); print("\nSERVER CONNECTIONS AT MOST", most, town.score(env))
                print("".join(f.read_text()[-1500:] for f in tmp_path.glob("*.log")))
            finally: crew.kill_rest()
    finally:
        b.kill(); b.wait(); wire.cut()
