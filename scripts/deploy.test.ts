import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { settings } from '../packages/server/src/config.ts'

const root = resolve(import.meta.dirname, '..')
const files = ['Dockerfile', 'compose.yaml', ...globSync('deploy/**/*.*', { cwd: root })]
const read = (path: string) => readFileSync(join(root, path), 'utf8')

it('files for deployment name settings that exist', () => {
  const named = files.flatMap((path) =>
    [...read(path).matchAll(/\bSVC_[A-Z_]+[A-Z]\b/g)].map(([name]) => ({ path, name })),
  )
  expect(named.length).toBeGreaterThan(20)
  const isKnown = (name: string) => Object.hasOwn(settings, name) || Object.hasOwn(settings, name.replace(/_FILE$/, ''))
  expect(named.filter(({ name }) => !isKnown(name))).toEqual([])
})

it('every third-party image is named by its digest, beside the tag that says what it is', () => {
  const node = /^ARG NODE=(\S+)$/m.exec(read('Dockerfile'))![1]
  const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) =>
    image?.startsWith('$') ? node : image,
  )
  const services = [...read('compose.yaml').matchAll(/^ +image: (\S+)$/gm)].map(([, image]) => image)
  const ofOthers = [...bases, ...services].filter((image) => image !== 'svc')
  expect(ofOthers).toHaveLength(5)
  for (const image of ofOthers) expect(image).toMatch(/^[a-z/]+:[\w.-]*\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/)
  expect(read('deploy/helm/svc/templates/_helpers.tpl')).toContain('printf "%s@%s" $values.image.repository')
})

it('the chart has the version of the service', () => {
  const { version } = JSON.parse(read('package.json'))
  const chart = read('deploy/helm/svc/Chart.yaml')
  expect(chart).toContain(`\nversion: ${version}\n`)
  expect(chart).toContain(`\nappVersion: ${version}\n`)
})

it('every Deployment of the chart has the strategy that the values decide', () => {
  const templates = globSync('deploy/helm/svc/templates/*.yaml', { cwd: root }).map(read)
  const deployments = templates.filter((text) => text.includes('\nkind: Deployment\n'))
  expect(deployments).toHaveLength(2)
  for (const text of deployments)
    expect(text).toContain('  strategy:\n    {{- include "svc.strategy" . | nindent 4 }}\n')
  const { enum: choices } = JSON.parse(read('deploy/helm/svc/values.schema.json')).properties.strategy
  expect(choices).toContain(/^strategy: (\w+)$/m.exec(read('deploy/helm/svc/values.yaml'))![1])
  for (const choice of choices) expect(read('deploy/helm/svc/templates/_helpers.tpl')).toContain(`\ntype: ${choice}\n`)
})

const helpers = () => read('deploy/helm/svc/templates/_helpers.tpl')
const values = () => [...read('deploy/helm/svc/values.yaml').matchAll(/^([a-zA-Z]+):/gm)].map(([, name]) => name!)

it('the schema of the chart has every value', () => {
  const { properties } = JSON.parse(read('deploy/helm/svc/values.schema.json'))
  expect(
    Object.keys(properties)
      .filter((name) => name !== 'global')
      .toSorted(),
  ).toEqual(values().toSorted())
})

it('the templates of the chart use every value, and no other', () => {
  const texts = globSync('deploy/helm/svc/templates/*', { cwd: root }).map(read)
  const used = texts.flatMap((text) => [...text.matchAll(/(?:\.Values|\$values)\.(\w+)/g)].map(([, name]) => name!))
  expect([...new Set(used)].toSorted()).toEqual(values().toSorted())
})

it('an upgrade of the chart is safe by default, and a rolling one waits where the new version has migrations', () => {
  expect(read('deploy/helm/svc/values.yaml')).toContain('\nstrategy: Recreate\n')
  // A container may migrate the database of another version only when all old nodes have stopped.
  expect(helpers()).toContain(
    'args: [migrate{{ if or (eq .role "worker") (ne $values.strategy "Recreate") }}, --if-empty{{ end }}]',
  )
})

it('the container that migrates has the settings, files and rights of the node', () => {
  expect(helpers().match(/\{\{- include "svc\.container" \. \| nindent 6 \}\}/g)).toHaveLength(2)
  expect(helpers().match(/name: SVC_DATABASE_URL|volumeMounts:|readOnlyRootFilesystem: true/g)).toHaveLength(3)
})

it('each block of a template of the chart ends', () => {
  for (const path of globSync('deploy/helm/svc/templates/*', { cwd: root })) {
    const actions = [...read(path).matchAll(/\{\{-?\s*(if|with|range|define|end)\b/g)].map(([, word]) => word)
    const begun = actions.filter((word) => word !== 'end').length
    expect([path, begun]).toEqual([path, actions.length - begun])
  }
})
