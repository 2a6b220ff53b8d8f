import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deliveryOf } from '../packages/sdk/test/delivery.ts'
import { codeBlocks } from '../scripts/code-blocks.ts'
import { type Output, output } from './output.ts'
import { commandOf, places } from './runtimes.ts'
import { cleanEnvironment, end, root } from './service.ts'

// Reached only if a receiver hangs.
const startLimitMs = 60_000
const toleranceMs = 300_000
const oldSecret = 'a'.repeat(64)
const newSecret = '0123456789abcdef'.repeat(4)

const receivers = [
  ...places.map((place) => ({
    place,
    command: commandOf(place),
    file: 'examples/webhooks/receiver.mjs',
    language: 'js',
  })),
  { place: 'Python', command: ['python3'], file: 'examples/webhooks/receiver.py', language: 'python' },
]

const body = '{"event":"flag.published","project":{"name":"Café ☕"}}'
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()
const fresh = (id: string, changes: { secret?: string; timestamp?: string } = {}) =>
  deliveryOf(body, { id, secret: newSecret, timestamp: fromNow(0), ...changes })

describe.each(receivers)('$file in $place', ({ language, command, file }) => {
  const [program, ...parameters] = command
  let receiver: ChildProcess
  let printed: Output
  let url: string

  beforeAll(async () => {
    const env = cleanEnvironment({ WEBHOOK_SECRET: `${oldSecret},${newSecret}`, PORT: '0', PYTHONUTF8: '1' })
    receiver = spawn(program!, [...parameters, file], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    printed = output(receiver)
    await printed.until('listening on ', startLimitMs)
    await printed.until('\n', startLimitMs)
    url = /listening on (\S+)/.exec(printed.text())![1]!
  })
  afterAll(() => end(receiver))

  const post = async (headers: Record<string, string>, content: string = body) =>
    (await fetch(url, { method: 'POST', headers, body: content })).status
  const timesActed = (id: string) => printed.text().split(`flag.published ${id} "Café ☕"`).length - 1

  it('accepts a delivery and acts once, however often it arrives', async () => {
    expect(await post(fresh('d-1'))).toBe(204)
    expect(await post(fresh('d-1', { timestamp: fromNow(1_000) }))).toBe(204)
    expect(await post(fresh('d-2'))).toBe(204)
    await printed.until('flag.published d-2 "Café ☕"\n', startLimitMs)
    await printed.until('flag.published d-1 "Café ☕"\n', startLimitMs)
    expect([timesActed('d-1'), timesActed('d-2')]).toEqual([1, 1])
  })

  it('accepts signatures of both secrets during a rotation', async () => {
    expect(await post(fresh('d-old', { secret: oldSecret }))).toBe(204)
    await printed.until('flag.published d-old "Café ☕"\n', startLimitMs)
  })

  it.each([
    ['a changed body', () => fresh('x-1'), body.replace('published', 'deleted'), 'signature_mismatch'],
    ['a body with an added line break', () => fresh('x-2'), `${body}\n`, 'signature_mismatch'],
    ['a different id', () => ({ ...fresh('x-3'), 'x-svc-delivery-id': 'x-4' }), body, 'signature_mismatch'],
    ['a different secret', () => fresh('x-5', { secret: 'f'.repeat(64) }), body, 'signature_mismatch'],
    ['an old request', () => fresh('x-6', { timestamp: fromNow(-toleranceMs - 1_000) }), body, 'timestamp_out_of'],
    [
      'a request from the future',
      // The time that the request takes brings it nearer.
      () => fresh('x-7', { timestamp: fromNow(toleranceMs + 120_000) }),
      body,
      'timestamp_out_of',
    ],
    ['no signature', () => ({ ...fresh('x-8'), 'x-svc-signature': '' }), body, 'missing_header'],
    [
      'a different signature scheme',
      () => ({ ...fresh('x-9'), 'x-svc-signature': 'v1,abc' }),
      body,
      'malformed_signature',
    ],
  ])('answers 401 to %s and does not act', async (_what, headers, content, code) => {
    const from = printed.text().length
    expect(await post(headers(), content)).toBe(401)
    await printed.until(`refused: ${code}`, startLimitMs, from)
    expect(printed.text().slice(from)).not.toContain('flag.')
  })

  it('refuses other methods and bodies that are too large', async () => {
    expect((await fetch(url)).status).toBe(405)
    const large = request(url, { method: 'POST', headers: { ...fresh('x-10'), 'content-length': 5_000_001 } })
    large.flushHeaders()
    const [{ statusCode }] = await once(large, 'response')
    large.destroy()
    expect(statusCode).toBe(413)
  })

  it('says what it needs when it starts without a secret', () => {
    const { status, stderr } = spawnSync(program!, [...parameters, file], {
      cwd: root,
      env: cleanEnvironment({}),
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('WEBHOOK_SECRET') })
  })

  it('is the same as in docs/webhooks.md', () => {
    const blocks = codeBlocks(readFileSync(`${root}docs/webhooks.md`, 'utf8'))
    const shown = blocks.filter((block) => block.language === language)
    const source = readFileSync(root + file, 'utf8')
    expect(shown.length).toBeGreaterThan(0)
    for (const { text, line } of shown) expect(source, `docs/webhooks.md:${line}`).toContain(text)
  })
})

it('the Python receiver agrees with the test vectors', () => {
  const { status, stdout } = spawnSync('python3', ['-c', judge], { cwd: root, encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'differs: none\n' })
})

it('the Python receiver prints one line for each of many deliveries at once', () => {
  const { status, stdout } = spawnSync('python3', ['-c', crowd], {
    cwd: root,
    env: cleanEnvironment({ PYTHONUTF8: '1' }),
    encoding: 'utf8',
  })
  const lines = Array.from({ length: 500 }, (_, n) => `flag.published d-${n} "Café ☕"\n`)
  expect({ status, stdout: stdout.split(/(?<=\n)/).toSorted() }).toEqual({ status: 0, stdout: lines.toSorted() })
})

/** Threads change so often that texts printed in pieces mix. */
const crowd = `
import sys, threading
sys.path.insert(0, "examples/webhooks")
sys.dont_write_bytecode = True
sys.setswitchinterval(1e-6)
import receiver

payload = {"event": "flag.published", "project": {"name": "Café ☕"}}
threads = [threading.Thread(target=receiver.act, args=(f"d-{n}", payload)) for n in range(500)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
`

const judge = `
import json, sys
from datetime import datetime, timedelta, timezone
sys.path.insert(0, "examples/webhooks")
sys.dont_write_bytecode = True
import receiver

def verified(headers, secret, now, body="", bodyHex=None, toleranceSeconds=300):
    content = body.encode() if bodyHex is None else bytes.fromhex(bodyHex)
    clock = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=now)
    try:
        receiver.verify(content, headers, [secret] if isinstance(secret, str) else secret, clock, toleranceSeconds)
        return None
    except receiver.Refused as refused:
        return str(refused)

with open("conformance/signature.json", encoding="utf-8") as file:
    cases = [case for case in json.load(file)["cases"] if case["method"] == "webhook_verify"]
wrong = [case["id"] for case in cases if verified(**case["input"]) != case["expected"]["code"]]
print("differs:", ", ".join(wrong) or "none" if len(cases) > 50 else "too few cases")
`
