import { ApiError } from '@svc/client'
import { command, type Group } from '../command.ts'
import type { Sourced } from '../files/settings.ts'
import { Problem } from '../problem.ts'
import type { Session } from '../session.ts'
import { version } from '../version.ts'

/** The result of one check. */
interface Check {
  name: string
  status: 'ok' | 'warning' | 'failed'
  message: string
}

const clockToleranceMs = 60_000
const firstEventMs = 5000

const run = command({
  name: 'doctor',
  summary: 'Check the settings and the connection to the service.',
  about:
    'It shows each setting with its source, then checks address, clock, token, project, environment and stream.\nThe exit code is 1 if a check failed.',
  async run({ session }) {
    const { output } = session
    const { url, org, project, env, token, timeoutMs } = session.settings
    const settings = { url, org, project, env }
    const checks = await allChecks(session)
    output.data({ version, settings: { ...settings, token: token && { source: token.source } }, checks }, () => {
      for (const [name, found] of Object.entries(settings)) output.line(`${name.padEnd(8)} ${shown(found)}`)
      output.line(`token    ${token ? `known, from ${token.source}` : 'not known'}`)
      output.line(`timeout  ${timeoutMs} ms`)
      output.line()
      for (const { name, status, message } of checks)
        output.line(`${output.paint(colors[status], status.padEnd(7))}  ${name}: ${message}`)
    })
    const failed = checks.filter(({ status }) => status === 'failed').length
    if (failed > 0) throw new Problem('failed', `${failed} of ${checks.length} checks failed.`)
  },
})

export const doctor: Group = {
  name: 'doctor',
  summary: 'Check the settings and the connection to the service.',
  commands: [run],
}

const colors = { ok: 'green', warning: 'yellow', failed: 'red' } as const

const shown = (found: Sourced | undefined): string => (found ? `${found.value} (${found.source})` : 'not set')

async function allChecks(session: Session): Promise<Check[]> {
  const { url, token, tokenMissing, project, env } = session.settings
  if (!url) return [{ name: 'address', status: 'failed', message: 'Use --url, or run svc auth login --url URL.' }]
  const checks: Check[] = []
  const check = async (name: string, look: () => Promise<Omit<Check, 'name'>>): Promise<boolean> => {
    const found = await look().catch((error: unknown) => ({ status: 'failed' as const, message: wordsOf(error) }))
    checks.push({ name, ...found })
    return found.status !== 'failed'
  }
  const anonymous = session.connectWith(undefined)
  const isReached = await check('address', async () => {
    const response = await anonymous.send('GET', '/openapi.json')
    const described = (await response.json().catch(() => null)) as { info?: { version?: string } } | null
    const theirs = described?.info?.version
    if (theirs === undefined) return { status: 'failed', message: `${url.value} answers, but is not Svc.` }
    const dated = Date.parse(response.headers.get('date') ?? '')
    checks.push(tlsOf(url.value), clockOf(dated, session.world.now().getTime()), versionOf(theirs))
    return { status: 'ok', message: `${url.value} answers.` }
  })
  if (!isReached) return checks
  if (!token) return [...checks, { name: 'token', status: 'failed', message: tokenMissing! }]
  const isKnown = await check('token', async () => {
    const { data } = await session.connection.api.GET('/api/v1/me')
    const { name, scopes } = data!.data
    return scopes.length > 0
      ? { status: 'ok', message: `"${name}" can ${scopes.join(' ')}.` }
      : { status: 'warning', message: `"${name}" has no scopes, so it can do nothing.` }
  })
  if (!isKnown || !project) return checks
  const isThere = await check('project', async () => {
    await session.connection.api.GET('/api/v1/projects/{projectId}', { params: { path: { projectId: project.value } } })
    return { status: 'ok', message: `${project.value} can be read.` }
  })
  if (!isThere || !env) return checks
  await check('environment', async () => {
    const { data } = await session.connection.api.GET('/api/v1/projects/{projectId}/environments/{envId}', {
      params: { path: { projectId: project.value, envId: env.value } },
    })
    const { sdkKey, dataFile } = data!.data
    checks.push(await streamOf(session, sdkKey))
    return { status: 'ok', message: `${env.value} is at revision ${dataFile.revision}.` }
  })
  return checks
}

function tlsOf(url: string): Check {
  const { protocol, hostname } = new URL(url)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || isHere
    ? {
        name: 'encryption',
        status: 'ok',
        message: protocol === 'https:' ? 'The connection is encrypted.' : 'The service is on this machine.',
      }
    : { name: 'encryption', status: 'warning', message: 'The token is sent without encryption. Use https.' }
}

function clockOf(theirs: number, ours: number): Check {
  const seconds = Math.round(Math.abs(theirs - ours) / 1000)
  return Math.abs(theirs - ours) > clockToleranceMs
    ? {
        name: 'clock',
        status: 'warning',
        message: `The clocks of this machine and of the service differ by ${seconds} s.`,
      }
    : { name: 'clock', status: 'ok', message: 'The clocks of this machine and of the service agree.' }
}

function versionOf(theirs: string): Check {
  return theirs === version
    ? { name: 'version', status: 'ok', message: `Both are version ${version}.` }
    : {
        name: 'version',
        status: 'warning',
        message: `This is version ${version}, but the service has version ${theirs}.`,
      }
}

/** A proxy that buffers would keep the first event, which the service sends at once. */
async function streamOf({ connectWith }: Session, sdkKey: string): Promise<Check> {
  const response = await connectWith(undefined).send('GET', `/api/sdk/v1/stream/${encodeURIComponent(sdkKey)}`)
  const reader = response.body!.getReader()
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), firstEventMs)
  })
  try {
    const first = await Promise.race([reader.read(), isLate])
    return first === 'late'
      ? {
          name: 'stream',
          status: 'warning',
          message: 'The stream sent no event at once. A proxy in between probably buffers it, so SDKs poll instead.',
        }
      : { name: 'stream', status: 'ok', message: 'The stream sends events at once.' }
  } finally {
    clearTimeout(timer)
    await reader.cancel()
  }
}

const wordsOf = (error: unknown): string =>
  error instanceof ApiError || error instanceof Error ? error.message : String(error)
