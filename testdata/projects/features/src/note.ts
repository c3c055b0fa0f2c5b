const notes: string[] = []

export function note(text: string): string[] {
  notes.push(text)
  return notes
}

export type Note = string
