import { join } from 'node:path'
import ts from 'typescript'
import { root } from './service.ts'

/** Declarations of packages, by the options that they were read with. No test changes them. */
const kept = new Map<string, Map<string, ts.SourceFile | undefined>>()
/** The compiler's own declarations, which are half of all, by the language that they are for. No other option reads them differently. */
const ofLanguage = new Map<ts.ScriptTarget | undefined, Map<string, ts.SourceFile | undefined>>()

/**
 * What `tsc` prints in a folder with a `tsconfig.json`; nothing if the program is right. It runs in this process, where
 * the declarations of packages are read and checked once.
 */
export function compile(folder: string): string {
  const { fileNames, errors, options: given } = configOf(folder)
  // The compiler's own declarations are not checked, because that takes longer than everything else.
  const options = { ...given, skipDefaultLibCheck: true }
  const host = ts.createCompilerHost(options)
  const { configFilePath: _, ...others } = given
  const key = JSON.stringify(others)
  const files = kept.get(key) ?? new Map<string, ts.SourceFile | undefined>()
  kept.set(key, files)
  const own = ofLanguage.get(given.target) ?? new Map<string, ts.SourceFile | undefined>()
  ofLanguage.set(given.target, own)
  const checked = new Set(files.keys())
  const program = ts.createProgram(fileNames, options, {
    ...host,
    getCurrentDirectory: () => folder,
    getSourceFile(name, ...parameters) {
      if (!name.startsWith(packages)) return host.getSourceFile(name, ...parameters)
      const among = name.startsWith(libraries) ? own : files
      if (!among.has(name)) among.set(name, host.getSourceFile(name, ...parameters))
      return among.get(name)
    },
  })
  const { diagnostics } = program.emit()
  const news = program.getSourceFiles().filter(({ fileName }) => !checked.has(fileName))
  const complaints = news.flatMap((file) => ts.getPreEmitDiagnostics(program, file))
  const found = ts.sortAndDeduplicateDiagnostics([...errors, ...complaints, ...diagnostics])
  return ts.formatDiagnostics(found, {
    getCurrentDirectory: () => folder,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  })
}

const packages = join(root, 'node_modules/')
const libraries = join(packages, 'typescript/lib/')

function configOf(folder: string): ts.ParsedCommandLine {
  const config = ts.getParsedCommandLineOfConfigFile(join(folder, 'tsconfig.json'), undefined, {
    ...ts.sys,
    getCurrentDirectory: () => folder,
    onUnRecoverableConfigFileDiagnostic({ messageText }) {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
    },
  })
  return config!
}
