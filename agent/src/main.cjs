'use strict';
// Entry of the agent: loaded by NODE_OPTIONS=--require into every Node process
// and worker of a run. The guard decides first; nothing else is evaluated in a
// process that the agent keeps out of.

const { admitted } = require('./guard.cjs');

if (admitted(process)) {
  try {
    require('./start.cjs').start();
  } catch (error) {
    // The program comes first: an agent that cannot start stays away. The run
    // then has no trace of this process, which the command line reports;
    // NODE_DEBUG=raceseed says why.
    require('node:util').debuglog('raceseed')('%s', error instanceof Error ? error.stack : error);
  }
}
