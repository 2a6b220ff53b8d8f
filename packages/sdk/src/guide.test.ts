import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { codeBlocks } from '../../../scripts/code-blocks.ts'
import { serviceOfTest } from '../test/client.ts'
import { datafileOf, flagOf } from '../test/datafile.ts'
import { answerStream, answerWith } from '../test/service.ts'

const run = promisify(execFile)
/** Reached only if a program does not end. */
const programLimitMs = 50_000
const guide = readFileSync(new URL('../../../docs/sdk.md', import.meta.url), 'utf8')
const examples = codeBlocks(guide).filter(({ language }) => language === 'ts')
const hostile = '</script><script>alert("1")<!--'

it.each(examples)('the example of docs/sdk.md at line $line runs to its end', async ({ text }) => {
  const service = await serviceOfTest(answerWith(datafileOf(5, { 'new-checkout': flagOf(true) })))
  service.streamAnswer = answerStream()
  const source = text
    .replaceAll('http://127.0.0.1:4000', service.baseUrl)
    .replaceAll("'@svc/sdk'", JSON.stringify(new URL('index.ts', import.meta.url)))
    .replaceAll(/'@svc\/sdk\/([\w-]+)'/g, (_all, part) => JSON.stringify(new URL(`${part}.ts`, import.meta.url)))
  const { stderr } = await run(process.execPath, ['--input-type=module-typescript', '--eval', source], {
    timeout: programLimitMs,
  })
  expect(stderr).not.toMatch(/Error/)
})

it('the data file embedded in a page cannot end its script, and reads back unchanged', () => {
  const [line] = /const json = .*/.exec(guide) ?? []
  const client = { dataFile: datafileOf(5, { [hostile]: flagOf(hostile) }) }
  const json = new Function('client', `${line}\nreturn json`)(client)
  expect(json).not.toContain('<')
  expect(JSON.parse(json)).toEqual(client.dataFile)
})
