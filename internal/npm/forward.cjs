// Runs a command whose registry is a socket: forward.cjs SOCKET PORT COMMAND…
// Connections to the port of this machine are passed on to the socket, which is
// all that the sandbox has of a network.
'use strict';
const net = require('node:net');
const { spawn } = require('node:child_process');
const [socket, port, command, ...args] = process.argv.slice(2);

const server = net.createServer((from) => {
  const to = net.connect(socket);
  from.pipe(to).pipe(from);
  from.on('error', () => to.destroy());
  to.on('error', () => from.destroy());
});
server.listen(Number(port), '127.0.0.1', () => {
  const registry = `http://127.0.0.1:${server.address().port}/`;
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, NPM_CONFIG_REGISTRY: registry } });
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(127);
  });
  child.on('exit', (code) => process.exit(code ?? 1));
});
