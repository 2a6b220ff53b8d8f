import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { booleanFlag } from '../../packages/server/testing/boolean-flag.ts'
import { copyFolder } from '../../packages/server/testing/scratch.ts'
import { type Api, projectPath, reaches } from './api.ts'
import { fillDiskOf } from './filling.ts'
import { labData, labTemplate } from './lab.ts'
import { type Fault, runEach, since } from './run.ts'
import { newSite } from './site.ts'

// Runs in the lab: the program with the embedded database on a small disk that a different program fills.

const diskSize = '200m'
/** The space left for tables. A new file of the write-ahead log, 16 MiB, does not fit. */
const roomForTablesBytes = 9_000_000
const refusals = 10
/** Of 9,000 characters. PostgreSQL compresses what repeats, and the disk would be full only after hundreds of flags. */
const longText = () => randomBytes(6_750).toString('base64')

async function fillDisk(roomBytes: number): Promise<Fault> {
  const disk = await mkdtemp(join(labData(), 'disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskSize}`, 'tmpfs', disk])
  const data = join(disk, 'data')
  await copyFolder(labTemplate(), data)
  const node = await (await newSite({ SVC_DATA_DIR: data })).start()
  const { api, url } = node
  const project = await projectPath(api)
  const [{ sdkKey }] = await api.call('GET', `${project}/environments`)
  const violations: string[] = []
  const flagsServed = async () => {
    const answer = await fetch(`${url}/api/sdk/v1/datafile/${sdkKey}.json`)
    if (answer.status !== 200) violations.push(`the data file was answered with ${answer.status}`)
    const { flags = {} } = (await answer.json()) as { flags?: object }
    return Object.keys(flags)
  }
  const acknowledged = ['first']
  await api.call('POST', `${project}/flags`, booleanFlag('first'))
  const filler = fillDiskOf(disk, roomBytes)

  let refused = 0
  for (let count = 0; refused < refusals; count += 1) {
    const key = `flag-${count}`
    const { status, body } = await addLongFlag(api, project, key)
    if (status === 201) acknowledged.push(key)
    else if (status === 503 && body.error.code === 'storage_full') refused += 1
    else throw new Error(`a write on a full disk was answered with ${status} ${JSON.stringify(body)}`)
    if (status === 503) await flagsServed()
  }
  const readiness = async () => {
    const answer = await fetch(`${url}/readyz`)
    return `${answer.status} ${await answer.text()}`
  }
  const full = await readiness()
  if (!/^503 .*storage_full/.test(full)) violations.push(`on a full disk, readiness was answered with ${full}`)

  rmSync(filler)
  const fromMs = performance.now()
  const next = async () => (await addLongFlag(api, project, 'last')).status
  await reaches('a write after there was room again', next, (status) => status === 201)
  const recoveredMs = since(fromMs)
  await reaches('readiness after there was room again', readiness, (answer) => answer.startsWith('200 '))
  const served = await flagsServed()
  await node.kill()
  const lost = acknowledged.filter((key) => !served.includes(key)).length
  return { violations, numbers: { acknowledged: acknowledged.length, refused, recoveredMs, lost } }
}

const addLongFlag = (api: Api, project: string, key: string) => {
  const variations = ['a', 'b', 'c', 'd'].map((name) => ({ name, key: name, value: longText() }))
  return api.send('POST', `${project}/flags`, { name: key, key, type: 'STRING', variations, defaultVariationKey: 'a' })
}

await runEach({
  'D2 tables': () => fillDisk(0),
  'D2 log': () => fillDisk(roomForTablesBytes),
})
