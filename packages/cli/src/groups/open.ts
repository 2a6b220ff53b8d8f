import { spawn } from 'node:child_process'
import { command, type Group } from '../command.ts'
import type { Session } from '../session.ts'

const run = command({
  name: 'open',
  summary: 'Open the project, or a flag, in the dashboard.',
  about: 'It prints the address, and on a terminal opens it in the browser.',
  args: ['[KEY]'],
  keys: { KEY: 'flag' },
  async run({ args, session }) {
    const { connection, project, output, world } = session
    const inProject = `${connection.url}/projects/${encodeURIComponent(project)}/flags`
    const address = args.KEY === undefined ? inProject : `${inProject}/${encodeURIComponent(args.KEY)}`
    output.data({ url: address }, () => output.line(address))
    if (world.stdout.isTTY && !output.isJson) await browse(session, address)
  },
})

export const open: Group = { name: 'open', summary: 'Open a flag in the dashboard.', commands: [run] }

/** No shell reads the address, so nothing in a key can be a command. */
function browse({ world: { platform, env }, output }: Session, address: string): Promise<void> {
  const [program, ...args] =
    platform === 'darwin'
      ? ['open']
      : platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : [env.BROWSER || 'xdg-open']
  const child = spawn(program!, [...args, address], { stdio: 'ignore', detached: true })
  return new Promise((resolve) => {
    child.once('error', () => {
      output.say('svc could not open a browser.')
      resolve()
    })
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}
