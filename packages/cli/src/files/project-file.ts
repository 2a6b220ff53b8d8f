import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nearest } from '@svc/core'
import { Problem } from '../problem.ts'
import { readObject } from './user-files.ts'

interface Schema {
  type: 'object' | 'array' | 'string'
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: false | Schema
}

const text = (description: string): Schema => ({ type: 'string', description })
const texts = (description: string): Schema => ({ type: 'array', description, items: { type: 'string' } })

/** The JSON Schema of `svc.json`, served at /docs/svc.schema.json. The file is checked by it, too. */
export const projectFileSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'svc.json',
  description: 'The settings of the command line svc in this folder and below. The file never contains a token.',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: text('The address of this schema, for editors.'),
    url: text('Address of the service.'),
    org: text('Id or short id of the organization.'),
    project: text('Key of the project.'),
    env: text('Key of the environment that commands use by default.'),
    config: text('The file of svc export, plan and apply.'),
    generate: {
      type: 'object',
      description: 'The files that svc generate writes.',
      additionalProperties: false,
      properties: {
        out: text('The file with types and accessors.'),
        react: text('The file with React hooks.'),
      },
    },
    references: {
      type: 'object',
      description: 'Where svc references looks for keys of flags.',
      additionalProperties: false,
      properties: {
        include: texts('Folders and patterns to search.'),
        exclude: texts('Patterns to exclude.'),
        calls: texts('Calls that take a key, such as isOn($key).'),
        aliases: {
          type: 'object',
          description: 'Names in code and the keys that they mean.',
          additionalProperties: { type: 'string' },
        },
      },
    },
  },
} as const satisfies Schema & { $schema: string; title: string }

/**
 * The nearest `svc.json` upwards, up to the root of the repository. Outside of a repository only the folder itself
 * counts, because any account may be able to write a file into a folder above.
 */
export function findProjectFile(cwd: string): { path: string; content: Record<string, unknown> } | undefined {
  const folders = foldersUpwards(cwd)
  const root = folders.findIndex((folder) => existsSync(join(folder, '.git')))
  for (const folder of folders.slice(0, root === -1 ? 1 : root + 1)) {
    const path = join(folder, 'svc.json')
    const content = readObject(path)
    if (!content) continue
    if ('token' in content)
      throw new Problem('file_invalid', `${path}: a token must not be in this file. Use svc auth login or SVC_TOKEN.`)
    const wrong = faultOf(content, projectFileSchema, '')
    if (wrong) throw new Problem('file_invalid', `${path}: ${wrong}`)
    return { path, content }
  }
  return undefined
}

function foldersUpwards(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersUpwards(above)]
}

function faultOf(value: unknown, schema: Schema, path: string): string | undefined {
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  if (type !== schema.type)
    return `${path || 'the file'} must be ${schema.type === 'string' ? 'a string' : `an ${schema.type}`}.`
  if (schema.items)
    for (const [at, item] of (value as unknown[]).entries()) {
      const fault = faultOf(item, schema.items, `${path}[${at}]`)
      if (fault) return fault
    }
  if (schema.type !== 'object') return undefined
  for (const [name, field] of Object.entries(value as object)) {
    const place = path ? `${path}.${name}` : name
    const own = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    const known = own ?? schema.additionalProperties
    if (!known) {
      const meant = nearest(name, Object.keys(schema.properties ?? {}))
      return `${place} is not a field.${meant ? ` Did you mean ${meant}?` : ''}`
    }
    const fault = faultOf(field, known, place)
    if (fault) return fault
  }
  return undefined
}
