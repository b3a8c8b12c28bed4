//! An independent GLB parser that checks every accessor.

use serde_json::Value;

/// The JSON document and the binary chunk of a GLB.
pub(crate) struct Glb {
    pub(crate) json: Value,
    bytes: Vec<u8>,
}

impl Glb {
    pub(crate) fn new(file: &[u8]) -> Self {
        let long = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes")) as usize;
        assert_eq!((&file[..4], long(4), long(8)), (&b"glTF"[..], 2, file.len()));
        let json_len = long(12);
        assert_eq!((&file[16..20], json_len % 4), (&b"JSON"[..], 0));
        let json: Value = serde_json::from_slice(&file[20..20 + json_len]).expect("JSON");
        let rest = 20 + json_len;
        let mut bytes = Vec::new();
        if rest < file.len() {
            assert_eq!((long(rest) + rest + 8, &file[rest + 4..rest + 8]), (file.len(), &b"BIN\0"[..]));
            bytes = file[rest + 8..].to_vec();
            let declared = json["buffers"][0]["byteLength"].as_u64().expect("a length") as usize;
            assert_eq!(declared.next_multiple_of(4), bytes.len());
        }
        let glb = Self { json, bytes };
        (0..glb.list("accessors").len()).for_each(|accessor| glb.check(accessor));
        glb
    }

    /// The elements of an array of the document.
    pub(crate) fn list(&self, key: &str) -> &[Value] {
        self.json[key].as_array().map_or(&[], |list| &list[..])
    }

    pub(crate) fn view(&self, view: usize) -> &[u8] {
        let view = &self.list("bufferViews")[view];
        let [start, len] =
            ["byteOffset", "byteLength"].map(|key| view[key].as_u64().expect("a number") as usize);
        assert!(start % 4 == 0 && len > 0);
        &self.bytes[start..start + len]
    }

    /// The components of an accessor's elements, of any component type.
    pub(crate) fn numbers(&self, accessor: &Value) -> Vec<Vec<f32>> {
        let accessor = &self.list("accessors")[accessor.as_u64().expect("a number") as usize];
        let bytes = self.view(accessor["bufferView"].as_u64().expect("a number") as usize);
        let components = match accessor["type"].as_str().expect("a kind") {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            other => panic!("{other}"),
        };
        let numbers: Vec<f32> = match accessor["componentType"].as_u64().expect("a number") {
            5121 => bytes.iter().map(|&byte| f32::from(byte)).collect(),
            5123 => bytes.chunks(2).map(|two| f32::from(u16::from_le_bytes([two[0], two[1]]))).collect(),
            5125 => bytes.as_chunks().0.iter().map(|&four| u32::from_le_bytes(four) as f32).collect(),
            5126 => bytes.as_chunks().0.iter().map(|&four| f32::from_le_bytes(four)).collect(),
            other => panic!("{other}"),
        };
        let count = accessor["count"].as_u64().expect("a number") as usize;
        assert!(count > 0 && numbers.len() == count * components);
        numbers.chunks(components).map(<[f32]>::to_vec).collect()
    }

    fn check(&self, index: usize) {
        let elements = self.numbers(&index.into());
        assert!(elements.iter().flatten().all(|number| number.is_finite()));
        let accessor = &self.list("accessors")[index];
        for (key, pick) in [("min", f32::min as fn(f32, f32) -> f32), ("max", f32::max)] {
            let Some(bounds) = accessor[key].as_array() else { continue };
            for (component, bound) in bounds.iter().enumerate() {
                let found = elements.iter().map(|element| element[component]).reduce(pick);
                assert_eq!(found, bound.as_f64().map(|bound| bound as f32));
            }
        }
    }
}
