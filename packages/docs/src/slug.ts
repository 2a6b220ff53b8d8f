/** Ids of headings as on GitHub, so that a link works in both places. */
export function slugs(): (heading: string) => string {
  const used = new Map<string, number>()
  return (heading) => {
    const slug = slugOf(heading)
    const times = used.get(slug) ?? 0
    used.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  }
}

export const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')
