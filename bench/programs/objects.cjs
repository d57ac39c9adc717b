'use strict';
// Many accesses: a small bank whose accounts are touched from timers, promise
// jobs and file callbacks. Nearly all its time goes into properties and maps.

const fs = require('node:fs');

const ACCOUNTS = 400;
const TURNS = 60;
const TRANSFERS = 4000; // in each turn

class Account {
  constructor(id) {
    this.id = id;
    this.balance = 1000;
    this.history = [];
  }

  transfer(other, amount) {
    if (this.balance < amount) return false;
    this.balance -= amount;
    other.balance += amount;
    this.history.push(amount);
    if (this.history.length > 8) this.history.shift();
    return true;
  }
}

const bank = new Map();
for (let id = 0; id < ACCOUNTS; id++) bank.set(id, new Account(id));
let done = 0;
let state = 1;

function next(n) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state % n;
}

function work() {
  for (let i = 0; i < TRANSFERS; i++) bank.get(next(ACCOUNTS)).transfer(bank.get(next(ACCOUNTS)), next(50));
  if (++done < TURNS) (done % 3 === 0 ? () => fs.stat(__filename, work) : done % 3 === 1 ? () => setTimeout(work, 1) : () => Promise.resolve().then(work))();
  else console.log([...bank.values()].reduce((sum, { balance }) => sum + balance, 0));
}

work();
