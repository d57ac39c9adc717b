package trace

import "testing"

func TestDescribe(t *testing.T) {
	names := map[uint32]string{
		1: "fs.readFile load@src/store.js {test/store.js} #1",
		2: "setTimeout poll@node_modules/@scope/keyv/index.js < @src/app.js [store > {a} [b] #2 loads] {test/store.js worker} #3",
		3: "fs.appendFile>fs.write save@src/log.js $tmp/x*/log 0.txt [logs] {-e} #1",
		4: "net.connect get@lib/client.js [a] {main.js} #1 data 2",
		5: "something else",
		7: "net.listen @test/app.js {main.js} #2 connection 1 write 3",
		6: "fs.stat {main.js} #1",
	}
	name := func(hash uint32) string { return names[hash] }
	tests := []struct {
		hold Hold
		want string
	}{
		{Hold{1, Completion, Horizon{Kind: UntilTimers, N: 1}}, "hold the completion of fs.readFile in load() (src/store.js) until 1 timer has fired"},
		{Hold{2, Completion, Horizon{Kind: UntilTimers, N: 3}}, "hold the completion of setTimeout in src/app.js, call 3 until 3 timers have fired"},
		{Hold{3, Start, Horizon{Kind: UntilPoint, Point: 1}}, "hold the start of fs.appendFile>fs.write of $tmp/x*/log 0.txt in save() (src/log.js) until fs.readFile in load() (src/store.js) and what follows from it has completed"},
		{Hold{4, Completion, Horizon{Kind: UntilPointNow, Point: 1}}, "hold the completion of data 2 on net.connect in get() (lib/client.js) until fs.readFile in load() (src/store.js) has completed, before anything that follows from it"},
		{Hold{5, Start, Horizon{Kind: UntilDrained}}, `hold the start of "something else" until nothing else is under way, timers aside`},
		{Hold{6, Start, Horizon{Kind: UntilQuiet}}, `hold the start of "fs.stat {main.js} #1" until nothing else is under way and no timer is due within 1 s`},
		{Hold{7, Start, Horizon{Kind: UntilDrained}}, "hold the start of connection 1 write 3 on net.listen in test/app.js, call 2 until nothing else is under way, timers aside"},
		{Hold{0xabcd, Start, Horizon{Kind: UntilLateArmed, Point: 1, DelayMs: 25}}, "hold the start of the unknown hold point 0000abcd until fs.readFile in load() (src/store.js) is due in less than 25 ms"},
		{Hold{1, Start, Horizon{Kind: 'x'}}, "hold the start of fs.readFile in load() (src/store.js) until an unknown horizon 'x'"},
	}
	for _, test := range tests {
		if got := test.hold.Describe(name); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
	if got, want := tests[0].hold.Describe(nil), "hold the completion of the unknown hold point 00000001 until 1 timer has fired"; got != want {
		t.Errorf("without names: %s", got)
	}
}
