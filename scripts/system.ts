import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { findRuntime, runtimeNames, runtimesFolder } from '../e2e/runtimes.ts'
import { findPrograms } from '../packages/server/testing/databases/postgres-programs.ts'
import { findInPath } from './in-path.ts'
import { pythonWithFrameworks, pythonWithPip } from './python.ts'

// Installs what the tests need besides npm packages if it can; otherwise it says how to install it.
// node scripts/system.ts clickhouse: also what `npm run test:clickhouse` needs. The same for firefox and frameworks.

interface Need {
  what: string
  debianPackage: string
  macCommand: string
  isThere(): boolean
  /** Whether a slower replacement is there, for machines on which this cannot be installed. */
  canDoWithout?(): boolean
}

const needs: Need[] = [
  {
    what: 'PostgreSQL 15 or newer with its server programs',
    debianPackage: 'postgresql',
    macCommand: 'brew install postgresql@17',
    isThere: () => findPrograms() !== undefined,
  },
  {
    what: 'Chromium',
    debianPackage: 'chromium-headless-shell',
    macCommand: 'brew install --cask chromium',
    isThere: () => isInPath('chromium-headless-shell'),
    canDoWithout: () => isInPath('chromium'),
  },
  {
    what: 'Redis or Valkey',
    debianPackage: 'redis-server',
    macCommand: 'brew install redis',
    isThere: () => isInPath('redis-server') || isInPath('valkey-server'),
  },
  {
    what: 'Python 3',
    debianPackage: 'python3',
    macCommand: 'brew install python',
    isThere: () => isInPath('python3'),
  },
  {
    what: 'pip, setuptools and wheel for Python 3',
    // It brings the other two.
    debianPackage: 'python3-pip',
    macCommand: 'python3 -m pip install setuptools wheel',
    isThere: () => pythonWithPip() !== undefined,
  },
  {
    what: 'mypy',
    debianPackage: 'mypy',
    macCommand: 'brew install mypy',
    isThere: () => isInPath('mypy'),
  },
  {
    what: 'curl',
    debianPackage: 'curl',
    macCommand: 'brew install curl',
    isThere: () => isInPath('curl'),
  },
  {
    what: 'openssl',
    debianPackage: 'openssl',
    macCommand: 'brew install openssl',
    isThere: () => isInPath('openssl'),
  },
  {
    what: 'ip (for network namespaces; Linux only)',
    debianPackage: 'iproute2',
    macCommand: 'a Linux machine',
    isThere: () => isInPath('ip'),
  },
  {
    what: 'unshare (for network namespaces; Linux only)',
    debianPackage: 'util-linux',
    macCommand: 'a Linux machine',
    isThere: () => isInPath('unshare'),
  },
  {
    what: 'mount',
    debianPackage: 'mount',
    macCommand: 'a Linux machine',
    isThere: () => isInPath('mount'),
  },
  {
    what: 'zsh',
    debianPackage: 'zsh',
    macCommand: 'brew install zsh',
    isThere: () => isInPath('zsh'),
  },
  {
    what: 'fish',
    debianPackage: 'fish',
    macCommand: 'brew install fish',
    isThere: () => isInPath('fish'),
  },
  {
    what: 'nginx',
    debianPackage: 'nginx-light',
    macCommand: 'brew install nginx',
    isThere: () => isInPath('nginx'),
  },
  {
    what: 'faketime',
    debianPackage: 'faketime',
    macCommand: 'brew install libfaketime',
    isThere: () => isInPath('faketime'),
  },
]

if (process.argv.includes('clickhouse'))
  needs.push({
    what: 'ClickHouse',
    debianPackage: 'clickhouse-server',
    macCommand: 'brew install clickhouse',
    isThere: () => isInPath('clickhouse-server'),
  })

if (process.argv.includes('firefox'))
  needs.push({
    what: 'Firefox',
    debianPackage: 'firefox-esr',
    macCommand: 'brew install --cask firefox@esr',
    isThere: () => isInPath('firefox-esr') || isInPath('firefox'),
  })

if (process.argv.includes('frameworks')) {
  for (const debianPackage of ['python3-flask', 'python3-django', 'gunicorn', 'python3-celery'])
    needs.push({
      what: `${debianPackage} for Python 3`,
      debianPackage,
      macCommand: 'python3 -m pip install flask django gunicorn celery',
      isThere: () => pythonWithFrameworks() !== undefined,
    })
  needs.push({
    what: 'uWSGI with Python 3',
    debianPackage: 'uwsgi-plugin-python3',
    macCommand: 'python3 -m pip install uwsgi',
    isThere: () => isInPath('uwsgi'),
  })
}

// Debian's packages run this before they start a service. Exit code 101 forbids the start.
const policyFile = '/usr/sbin/policy-rc.d'
const forbidStarting = '#!/bin/sh\nexit 101\n'

const missing = () => needs.filter((need) => !need.isThere())

const wanted = missing()
if (wanted.length > 0 && existsSync('/etc/debian_version') && process.getuid?.() === 0) install(wanted)
for (const need of missing().filter((need) => !need.canDoWithout?.())) {
  const command = process.platform === 'darwin' ? need.macCommand : `apt-get install ${need.debianPackage}`
  console.error(`The tests need ${need.what}. To get it: ${command}`)
  process.exitCode = 1
}

const missingRuntimes = () => runtimeNames.filter((name) => !findRuntime(name))

if (missingRuntimes().length > 0) installRuntimes()
for (const name of missingRuntimes()) {
  console.error(`The tests need ${name}, and npm has no build of it for this system. Install it and add it to PATH.`)
  process.exitCode = 1
}

function installRuntimes(): void {
  console.error(`Installing ${missingRuntimes().join(', ')} for the tests`)
  try {
    execFileSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], {
      cwd: runtimesFolder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
  }
}

function install(wanted: Need[]): void {
  const packages = wanted.map((need) => need.debianPackage)
  console.error(`Installing ${packages.join(', ')} for the tests`)
  const hasPolicy = existsSync(policyFile)
  if (!hasPolicy) writeFileSync(policyFile, forbidStarting, { mode: 0o755 })
  try {
    apt('update')
    apt('install', '--yes', '--no-install-recommends', ...packages)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
  } finally {
    if (!hasPolicy) rmSync(policyFile)
  }
}

function apt(...parameters: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', ['--quiet=2', ...parameters], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

function isInPath(program: string): boolean {
  return findInPath(program) !== undefined
}
