// Decodes raw LZMA with the parameters lc = 4, lp = 0 and pb = 0, which embed.py uses.

const HALF = 1024;
const [LITERAL_CONTEXT_BITS, STATES] = [4, 12];
const [LEN_LOW, LEN_MID, LEN_HIGH] = [8, 8, 256];
const [POSITION_SLOTS, ALIGN_BITS, END_POSITION_MODEL] = [64, 4, 14];

/** Probabilities of one half. */
const probabilities = (count) => new Uint16Array(count).fill(HALF);

/** Decodes `length` bytes. Throws if the input ends early or is not valid. */
export function decodeLzma(input, length) {
    const output = new Uint8Array(length);
    let [next, range, code] = [5, 0xffffffff, 0];
    for (let i = 1; i < 5; i++) code = ((code << 8) | input[i]) >>> 0;

    const invalid = () => new Error("the embedded module is damaged");
    const normalize = () => {
        if (range >= 0x1000000) return;
        if (next >= input.length) throw invalid();
        range = (range << 8) >>> 0;
        code = ((code << 8) | input[next++]) >>> 0;
    };
    const bit = (table, index) => {
        const probability = table[index];
        const bound = (range >>> 11) * probability;
        let found;
        if (code < bound) {
            range = bound;
            table[index] = probability + ((2048 - probability) >>> 5);
            found = 0;
        } else {
            range = (range - bound) >>> 0;
            code = (code - bound) >>> 0;
            table[index] = probability - (probability >>> 5);
            found = 1;
        }
        normalize();
        return found;
    };
    const direct = (count) => {
        let found = 0;
        for (; count > 0; count--) {
            range >>>= 1;
            const one = code >= range ? 1 : 0;
            if (one) code = (code - range) >>> 0;
            found = ((found << 1) | one) >>> 0;
            normalize();
        }
        return found;
    };
    const tree = (table, start, count) => {
        let node = 1;
        for (let i = 0; i < count; i++) node = (node << 1) | bit(table, start + node);
        return node - (1 << count);
    };
    const reverseTree = (table, start, count) => {
        let [node, found] = [1, 0];
        for (let i = 0; i < count; i++) {
            const one = bit(table, start + node);
            node = (node << 1) | one;
            found |= one << i;
        }
        return found;
    };
    const lengthCoder = () => {
        const [choice, low, mid, high] = [probabilities(2), probabilities(LEN_LOW), probabilities(LEN_MID), probabilities(LEN_HIGH)];
        return () => {
            if (bit(choice, 0) === 0) return 2 + tree(low, 0, 3);
            if (bit(choice, 1) === 0) return 10 + tree(mid, 0, 3);
            return 18 + tree(high, 0, 8);
        };
    };

    const literals = probabilities(0x300 << LITERAL_CONTEXT_BITS);
    const [isMatch, isRep, isRep0, isRep1, isRep2, isRep0Long] = Array.from({ length: 6 }, () => probabilities(STATES));
    const slots = Array.from({ length: 4 }, () => probabilities(POSITION_SLOTS));
    const [special, align] = [probabilities(128), probabilities(1 << ALIGN_BITS)];
    const [matchLength, repLength] = [lengthCoder(), lengthCoder()];
    let [rep0, rep1, rep2, rep3, state, at] = [0, 0, 0, 0, 0, 0];

    const literal = () => {
        const previous = at > 0 ? output[at - 1] : 0;
        const start = 0x300 * (previous >> (8 - LITERAL_CONTEXT_BITS));
        let symbol = 1;
        if (state >= 7) {
            let matched = output[at - rep0 - 1];
            while (symbol < 0x100) {
                const matchBit = (matched >> 7) & 1;
                matched <<= 1;
                const found = bit(literals, start + ((1 + matchBit) << 8) + symbol);
                symbol = (symbol << 1) | found;
                if (matchBit !== found) break;
            }
        }
        while (symbol < 0x100) symbol = (symbol << 1) | bit(literals, start + symbol);
        output[at++] = symbol & 0xff;
        state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
    };
    const distance = (found) => {
        const slot = tree(slots[Math.min(found - 2, 3)], 0, 6);
        if (slot < 4) return slot;
        const bits = (slot >> 1) - 1;
        const base = ((2 | (slot & 1)) << bits) >>> 0;
        if (slot < END_POSITION_MODEL) return base + reverseTree(special, base - slot, bits);
        return base + (direct(bits - ALIGN_BITS) << ALIGN_BITS) + reverseTree(align, 0, ALIGN_BITS);
    };
    const useOlderDistance = () => {
        if (bit(isRep1, state) === 0) [rep0, rep1] = [rep1, rep0];
        else if (bit(isRep2, state) === 0) [rep0, rep1, rep2] = [rep2, rep0, rep1];
        else [rep0, rep1, rep2, rep3] = [rep3, rep0, rep1, rep2];
    };

    while (at < length) {
        if (bit(isMatch, state) === 0) {
            literal();
            continue;
        }
        let found;
        if (bit(isRep, state) === 0) {
            [rep3, rep2, rep1] = [rep2, rep1, rep0];
            found = matchLength();
            state = state < 7 ? 7 : 10;
            rep0 = distance(found);
        } else {
            if (bit(isRep0, state) === 1) {
                useOlderDistance();
            } else if (bit(isRep0Long, state) === 0) {
                if (rep0 >= at) throw invalid();
                state = state < 7 ? 9 : 11;
                output[at] = output[at - rep0 - 1];
                at++;
                continue;
            }
            found = repLength();
            state = state < 7 ? 8 : 11;
        }
        if (rep0 >= at || at + found > length) throw invalid();
        for (; found > 0; found--, at++) output[at] = output[at - rep0 - 1];
    }
    return output;
}
