'use strict';
// A server under test: requests with a body, a file read for each, JSON back.

const fs = require('node:fs/promises');
const http = require('node:http');

const REQUESTS = 1500;
const AT_ONCE = 10;

const visits = {};
const server = http.createServer(async (request, response) => {
  visits[request.url] = (visits[request.url] ?? 0) + 1;
  const text = await fs.readFile(__filename, 'utf8');
  response.end(JSON.stringify({ length: text.length, visits: visits[request.url] }));
});

server.listen(0, '127.0.0.1', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const ask = (path) => new Promise((resolve, reject) => {
    http.get({ port: server.address().port, host: '127.0.0.1', path, agent }, (response) => {
      let body = '';
      response.on('data', (chunk) => { body += chunk; }).on('end', () => resolve(JSON.parse(body)));
    }).on('error', reject);
  });
  let left = REQUESTS;
  await Promise.all(Array.from({ length: AT_ONCE }, async (_, i) => {
    while (left-- > 0) await ask(`/${i}`);
  }));
  console.log(Object.values(visits).reduce((sum, n) => sum + n, 0));
  agent.destroy();
  server.close();
});
