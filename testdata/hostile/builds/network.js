function good(text = '') {
  const fs = require('fs'); fs.mkdirSync('dist');
  fs.writeFileSync('dist/index.html', '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Built</title></head><body><h1>Built well</h1><p>' + text + '</p></body></html>');
}
const net = require('net'), dgram = require('dgram'), dns = require('dns'), http = require('http');
const wait = [];
for (const address of CANARY) { const [host, port] = address.split(':');
  wait.push(new Promise((done) => net.connect(port, host).on('connect', () => done('LEAKED ' + host)).on('error', () => done(''))));
  wait.push(fetch('http://' + address + '/build').then(() => 'LEAKED fetch', () => ''));
  dgram.createSocket('udp4').on('error', () => {}).send('x', Number(port), host, () => {});
}
wait.push(fetch('http://169.254.169.254/latest/').then(() => 'LEAKED metadata', () => ''), new Promise((done) => dns.lookup('example.com', (e) => done(e ? '' : 'LEAKED dns'))));
Promise.all(wait).then((all) => { if (all.join('')) throw new Error(all.join(' ')); good(); process.exit(0); });
