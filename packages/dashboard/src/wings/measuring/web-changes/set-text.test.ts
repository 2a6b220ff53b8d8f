import { describe, expect, it } from 'vitest'
import { lineOf, pathText, setIn, textOfSet } from './set-text.ts'

const text = `{
  "changes": [
    { "id": "c1", "type": "TEXT", "selector": "h1, h2", "value": "a \\"quoted\\" {text}" },
    {
      "id": "c2",
      "type": "STYLE",
      "value": {
        "color": "red"
      }
    }
  ],
  "css": null
}`

describe('the text of a set of changes', () => {
  it('can be a set, a list, or a block of code', () => {
    const changes = [{ id: 'c1' }]
    for (const each of [
      '{"changes":[{"id":"c1"}]}',
      '[{"id":"c1"}]',
      '```json\n{"changes":[{"id":"c1"}],"dryRun":true}\n```',
    ])
      expect(setIn(each)).toEqual({ set: { changes, css: null } })
  })

  it.each([
    ['', 'Enter the changes as JSON.'],
    ['3', 'Enter an object with changes and css, or a list of changes.'],
    ['{\n  "a": 1 "b": 2\n}', 'This is not JSON at line 2, column 10. Check the quotes, commas and brackets.'],
    ['[,]', 'This is not JSON. Check the quotes, commas and brackets.'],
  ])('says what is wrong with %j', (given, fault) => {
    expect(setIn(given)).toEqual({ fault })
  })

  it('is read as it is written', () => {
    const set = {
      changes: [{ id: 'c1', page: null, type: 'TEXT' as const, selector: 'h1', value: 'New', was: null }],
      css: 'p {}',
    }
    expect(textOfSet(set)).not.toContain('was')
    expect(setIn(textOfSet(set))).toMatchObject({ set: { css: 'p {}', changes: [{ id: 'c1', value: 'New' }] } })
  })

  it.each([
    [[], 1],
    [['changes'], 2],
    [['changes', 0], 3],
    [['changes', 0, 'value'], 3],
    [['changes', 1], 4],
    [['changes', 1, 'type'], 6],
    [['changes', 1, 'value', 'color'], 8],
    [['css'], 12],
  ])('has the value of %j at line %i', (path, line) => {
    expect(lineOf(text, path)).toBe(line)
  })

  it('has no line for what is missing, and names its path', () => {
    const path = ['changes', 1, 'selector']
    expect(lineOf(text, path)).toBeUndefined()
    expect(pathText(path)).toBe('changes[1].selector')
    expect(pathText(['changes', 1, 'value', 'background-color'])).toBe('changes[1].value.background-color')
  })
})
