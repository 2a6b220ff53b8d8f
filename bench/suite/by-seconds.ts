import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What `npm run bench -- suite` measured: the duration of each file, by project and path from the root. */
const measured = JSON.parse(readFileSync(new URL('seconds.json', import.meta.url), 'utf8')) as Record<string, number>

/** Files that take a second are left out. */
const secondsIfUnknown = 1

export const nameOf = (project: string, path: string): string => `${project} ${path}`

/**
 * Starts the slowest files of a project first: a slow one that began last would run alone. The projects follow each
 * other in the order of the configuration, because a worker ends, with its modules and its browser, when the next file
 * is of a different project.
 */
export class BySeconds extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ project, moduleId }: TestSpecification): number =>
      measured[nameOf(project.name, relative(this.ctx.config.root, moduleId))] ?? secondsIfUnknown
    const slowestFirst = (name: string): TestSpecification[] =>
      files.filter(({ project }) => project.name === name).toSorted((one, other) => secondsOf(other) - secondsOf(one))
    return this.ctx.projects.flatMap(({ name }) => slowestFirst(name))
  }
}
