// The script that pages load gives the answers of all vectors about evaluation, with the second file where it needs it.
import { join } from 'node:path'
import type { DataFile, EvaluationContext, Flag } from '@svc/core'
import type { createClient } from '@svc/sdk'
import { describe, expect, it } from 'vitest'
import { agrees } from './agreement.ts'
import { readCases } from './vectors.ts'

const built = join(import.meta.dirname, '../packages/sdk/dist')
const browser = async (): Promise<{ createClient: typeof createClient }> => import(join(built, 'svc.min.js'))

const defaults = { BOOLEAN: false, STRING: '', NUMBER: 0, JSON: {} }

const methods: Record<string, (input: Record<string, unknown>) => unknown> = {
  async condition({ condition, context, audiences = {}, segments = {}, now }) {
    const client = await clientOf(fileOf(condition, { audiences, segments }), now)
    return { matches: client.peekBoolean('flag', false, context as EvaluationContext) }
  },
  async parse_data_file({ document }) {
    const client = await clientOf(document, 0)
    return { accepted: client.revision !== null }
  },
  async evaluate({ dataFile, flagKey, context, now }) {
    const client = await clientOf(dataFile, now)
    const { type } = (dataFile as DataFile).flags[flagKey as string] ?? ({} as Partial<Flag>)
    const details = client.peekDetails(
      flagKey as string,
      (defaults[type ?? 'JSON'] ?? {}) as object,
      context as EvaluationContext,
    )
    return details.errorCode ? { ...details, value: undefined } : details
  },
  async evaluate_all({ dataFile, context, now }) {
    const client = await clientOf(dataFile, now)
    return Object.fromEntries(client.getAllDetails(context as EvaluationContext))
  },
}

async function clientOf(bootstrap: unknown, now: unknown) {
  const { createClient } = await browser()
  const client = createClient(
    {
      sdkKey: 'sdk_1',
      baseUrl: 'http://127.0.0.1:9',
      offline: true,
      bootstrap: bootstrap as DataFile,
      logger: { warn() {} },
    },
    { now: () => Number(now ?? 0) },
  )
  await client.waitUntilReady()
  return client
}

/** A file with one flag, which is true where the condition holds. */
const fileOf = (when: unknown, more: object) => ({
  schemaVersion: 1,
  revision: 1,
  exclusionGroups: {},
  events: {},
  ...more,
  flags: {
    flag: {
      id: '1',
      type: 'BOOLEAN',
      enabled: true,
      variations: { on: 'true', off: 'false' },
      defaultVariation: 'off',
      rules: [{ id: 'r', type: 'TARGETED_DELIVERY', salt: 's', variation: 'on', when }],
    },
  },
})

describe.each(['condition-matrix', 'conditions', 'evaluation', 'evaluation-generated'])('%s.json', (name) => {
  it('passes in the browser script', async () => {
    const { cases } = readCases(join(import.meta.dirname, `${name}.json`))
    expect(cases.length).toBeGreaterThan(0)
    const failed: unknown[] = []
    for (const item of cases) {
      const got = await methods[item.method]!(item.input)
      if (!agrees(got, item.expected, {})) failed.push([item.id, item.name, got, item.expected] satisfies unknown[])
    }
    expect(failed).toEqual([])
  })
})
