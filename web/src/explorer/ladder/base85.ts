// SPDX-License-Identifier: MIT
//
// Bytes as text, four in five characters: of ../../../ladder-data.mjs, which writes them, the way back. Base64 would take a fifteenth more.

// `text`: five characters of `alphabet` for each four bytes, the first one the highest; `length`: of the bytes.
export function fromBase85(text: string, alphabet: string, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new DataView(new ArrayBuffer((text.length / 5) * 4));
  for (let group = 0; group < text.length / 5; ++group) {
    let value = 0;
    for (const character of text.slice(group * 5, group * 5 + 5))
      value = value * 85 + alphabet.indexOf(character);
    bytes.setUint32(group * 4, value);
  }
  return new Uint8Array(bytes.buffer, 0, length);
}
