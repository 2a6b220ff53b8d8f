import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import picomatch from 'picomatch'
import { generatedMark } from './typescript.ts'

const longestBytes = 1024 * 1024
const mostListedBytes = 256 * 1024 * 1024
/** Folders of generated files. In a repository, Git knows which files to leave out. */
const ignoredFolders = new Set(
  'node_modules .git .hg .svn dist build out coverage target vendor .next .nuxt .venv venv __pycache__ .cache'.split(
    ' ',
  ),
)

/**
 * The texts below a folder, sorted by their path in it: the files that Git tracks or would add. Outside a repository,
 * all files but those in `ignoredFolders`. Files over 1 MB, binary files and the output of `svc generate` are left out.
 *
 * @param base the folder that folders and patterns of `include` and `exclude` begin at; all count if none is included
 */
export function* codeFiles(
  folder: string,
  { base, include, exclude }: { base: string; include: readonly string[]; exclude: readonly string[] },
): Generator<{ path: string; text: string }> {
  const isWanted = include.length === 0 ? () => true : matcher(include)
  const isUnwanted = matcher(exclude)
  for (const path of (listedByGit(folder) ?? walked(folder)).sort()) {
    const name = relative(base, join(folder, path)).replaceAll('\\', '/')
    if (!isWanted(name) || isUnwanted(name)) continue
    const text = textOf(join(folder, path))
    if (text !== undefined) yield { path, text }
  }
}

const matcher = (patterns: readonly string[]): ((path: string) => boolean) => {
  if (patterns.length === 0) return () => false
  const trimmed = patterns.map((pattern) => pattern.replace(/^\.\//, '').replace(/\/+$/, ''))
  return picomatch(
    trimmed.flatMap((pattern) => [pattern, `${pattern}/**`]),
    { dot: true },
  )
}

function listedByGit(folder: string): string[] | undefined {
  try {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      ...{ cwd: folder, encoding: 'utf8', maxBuffer: mostListedBytes, stdio: ['ignore', 'pipe', 'ignore'] },
    })
    return [...new Set(listed.split('\0'))].filter((path) => path !== '')
  } catch {
    return undefined
  }
}

function walked(folder: string, root = folder): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return ignoredFolders.has(entry.name) ? [] : walked(path, root)
    return entry.isFile() ? [relative(root, path).replaceAll('\\', '/')] : []
  })
}

/** Undefined if it is not a text of code. Git also lists files that were deleted, and folders of other repositories. */
function textOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size > longestBytes) return undefined
  const text = readFileSync(path, 'utf8')
  return text.includes('\0') || text.slice(0, 100).includes(generatedMark) ? undefined : text
}
