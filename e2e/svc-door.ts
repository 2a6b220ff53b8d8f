import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runSvc } from '../packages/cli/testing/run-svc.ts'
import { withPrograms } from './shell.ts'

/** A `svc` for shells that runs in this process. */
export interface SvcDoor {
  /** Variables of a shell, such as the path on which it finds `svc`. */
  env: Record<string, string>
  close(): Promise<void>
}

/**
 * Opens a door through which the `svc` of a shell runs in this process, with the arguments, variables, folder and input
 * that the shell gives it. A process of its own takes ten times as long to start as most commands take; `packages.test.ts`
 * and the guides of `typed-flags.test.ts` start it. Elsewhere than on Linux, which shows what a process was given, the
 * shell starts processes.
 */
export async function openSvcDoor(): Promise<SvcDoor> {
  if (process.platform !== 'linux') return { env: withPrograms, close: async () => undefined }
  const folder = await mkdtemp(join(tmpdir(), 'svc-door-'))
  const socket = join(folder, 'socket')
  const server = createServer(async (request, response) => {
    const pid = request.url!.slice(1)
    const { exitCode, stdout, stderr } = await runFor(pid).catch((error: Error) => ({
      ...{ exitCode: 70, stdout: '', stderr: `${error.stack}\n` },
    }))
    await Promise.all([writeFile(join(folder, `${pid}.out`), stdout), writeFile(join(folder, `${pid}.err`), stderr)])
    response.end(String(exitCode))
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  await writeFile(join(folder, 'svc'), scriptFor(folder, socket), { mode: 0o755 })
  return {
    env: { PATH: `${folder}:${withPrograms.PATH}` },
    async close() {
      server.close()
      server.closeAllConnections()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Asks for the command of this process to be run, and prints what it printed. */
const scriptFor = (folder: string, socket: string) => `#!/bin/sh
code=$(curl --silent --unix-socket '${socket}' "http://svc/$$")
cat '${folder}/'"$$.out"
cat '${folder}/'"$$.err" >&2
exit "$code"
`

/** Runs the command that the process of the script was started with. */
async function runFor(pid: string) {
  const at = `/proc/${pid}`
  const [words, variables] = await Promise.all(
    ['cmdline', 'environ'].map(async (name) => (await readFile(join(at, name), 'utf8')).split('\0').slice(0, -1)),
  )
  const env = Object.fromEntries(
    variables!.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
  )
  // The first two words are the shell and the script.
  const world = { args: words!.slice(2), env, cwd: await readlink(join(at, 'cwd')), home: env.HOME ?? '/' }
  return runSvc(world, inputOf(join(at, 'fd/0')))
}

/** Opened only when it is read, because the input of most commands is that of the shell, which has the next ones. */
async function* inputOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path)
}
