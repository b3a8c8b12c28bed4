//! The document's text, and what it may take as a tree.

use gltf_json::{Material, Root, Value};

use super::budget::Budget;
use crate::{Error, Report};

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The index that a channel without a node gets, until it is dropped.
const NOWHERE: u32 = u32::MAX;

/// The document that a text gives.
pub(crate) fn parse(text: &[u8], budget: &Budget, report: &mut Report) -> Result<Root, Error> {
    let text = match text.strip_prefix(BOM) {
        Some(rest) => {
            report.note("byte 0", "a byte order mark before the JSON", "it was passed over")?;
            rest
        }
        None => text,
    };
    budget.spend_tree(tree_size(text))?;
    match Root::from_slice(text) {
        // The types know no channel without a node, though glTF has them and says that they are to be ignored.
        Err(error) if error.to_string().starts_with("missing field `node`") => {
            without_idle_channels(text, report)
        }
        read => read.map_err(|error| fault(&error)),
    }
}

/// What the tree of a text takes at most, about: a small text can ask for a large tree.
fn tree_size(text: &[u8]) -> u64 {
    let (mut objects, mut items) = (0_u64, 0_u64);
    let (mut quoted, mut escaped) = (false, false);
    for &byte in text {
        if quoted {
            quoted = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            continue;
        }
        match byte {
            b'"' => quoted = true,
            b'{' => objects += 1,
            b',' | b'[' => items += 1,
            _ => {}
        }
    }
    // Nothing in an array is larger than a material, and no item of another is larger than a value.
    objects * size_of::<Material>() as u64 + items * size_of::<Value>() as u64
}

fn without_idle_channels(text: &[u8], report: &mut Report) -> Result<Root, Error> {
    let mut tree: Value = gltf_json::deserialize::from_slice(text).map_err(|error| fault(&error))?;
    let animations = tree.get_mut("animations").and_then(Value::as_array_mut);
    for animation in animations.into_iter().flatten() {
        let channels = animation.get_mut("channels").and_then(Value::as_array_mut);
        for channel in channels.into_iter().flatten() {
            if let Some(target) = channel.get_mut("target").and_then(Value::as_object_mut) {
                target.entry("node").or_insert_with(|| NOWHERE.into());
            }
        }
    }
    let mut root: Root = gltf_json::deserialize::from_value(tree).map_err(|error| fault(&error))?;
    for (index, animation) in root.animations.iter_mut().enumerate() {
        let all = animation.channels.len();
        animation.channels.retain(|channel| channel.target.node.value() != NOWHERE as usize);
        let idle = all - animation.channels.len();
        if idle > 0 && root.extensions_used.iter().any(|used| used == "KHR_animation_pointer") {
            let found = format!("{idle} channels without a node");
            report.note(format!("animations[{index}].channels"), found, "they were passed over")?;
        }
    }
    Ok(root)
}

fn fault(error: &gltf_json::Error) -> Error {
    let whole = error.to_string();
    let (line, column) = (error.line(), error.column());
    let said = whole.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&whole);
    // A string that is not what it should be is quoted whole.
    let said = if said.len() > 200 {
        format!("{}...", said.chars().take(200).collect::<String>())
    } else {
        said.into()
    };
    Error::fault(format!("line {line}, column {column}"), "a document of glTF 2.0", said)
}
