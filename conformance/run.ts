import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { agrees } from './agreement.ts'
import type { Method } from './methods.ts'
import type { Case } from './vectors.ts'
import { readCases } from './vectors.ts'

const exitFailed = 1
const exitUnreadable = 2

try {
  const files = process.argv.length > 2 ? process.argv.slice(2) : ownFiles()
  const cases = files.flatMap(casesOf)
  // Only for files that can be read: the statistics take most of a start.
  const { methods } = await import('./methods.ts')
  process.exitCode = await run(cases, methods)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = exitUnreadable
}

function casesOf(file: string): Case[] {
  const { cases, declared } = readCases(file)
  if (cases.length < declared) console.log(`${file}: a part of its collection, ${cases.length} of ${declared} cases`)
  return cases
}

function ownFiles(): string[] {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'))
  return names.sort().map((name) => join(import.meta.dirname, name))
}

async function run(cases: Case[], methods: ReadonlyMap<string, Method>): Promise<number> {
  const unknown = Map.groupBy(
    cases.filter(({ method }) => !methods.has(method)),
    ({ method }) => method,
  )
  for (const [method, { length }] of unknown) console.log(`method ${method} is not implemented: ${length} cases failed`)
  let passed = 0
  for (const item of cases) {
    const method = methods.get(item.method)
    if (method && (await passes(item, method))) passed += 1
  }
  console.log(`${passed} passed, ${cases.length - passed} failed`)
  return passed === cases.length ? 0 : exitFailed
}

async function passes(item: Case, method: Method): Promise<boolean> {
  const got = await answer(item, method)
  if (agrees(got, item.expected, item.tolerance ?? {})) return true
  console.log(`FAILED ${item.id} ${item.name}`)
  console.log(`  expected ${JSON.stringify(item.expected)}\n  got      ${JSON.stringify(got)}`)
  return false
}

// If a method throws, only this case fails, not the run.
async function answer({ input }: Case, method: Method): Promise<unknown> {
  try {
    return await method(input)
  } catch (error) {
    return `threw ${String(error)}`
  }
}
