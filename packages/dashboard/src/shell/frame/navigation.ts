import type { NamedProject } from '../all-projects.ts'
import type { Organization } from '../session.ts'
import { type Level, type NavigationRow, slots } from '../wing.ts'

/** A row with the key that opens it after `G`. */
export type OpenedByKey = NavigationRow & { letter: string }

/** The rows of a level for a member of this organization, in their groups and in order. */
export function navigationFor(
  rows: readonly NavigationRow[],
  level: Level,
  organization: Organization | undefined,
  project?: NamedProject,
): { rows: OpenedByKey[] }[] {
  const isShown = ({ isFor }: NavigationRow) => !isFor || (organization !== undefined && isFor(organization, project))
  const own = rows.filter((row) => row.level === level && isShown(row))
  return slots[level]
    .map((group) => ({
      rows: Object.entries(group).flatMap(([slot, letter]) =>
        own.filter((row) => row.slot === slot).map((row) => ({ ...row, letter: String(letter) })),
      ),
    }))
    .filter((group) => group.rows.length > 0)
}
